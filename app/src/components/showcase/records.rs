//! Records: lists, tables, receipts, what is about to happen, QR codes.
use ledger::PaymentStatus;
use leptos::prelude::*;

use super::{Part, points, say, yen};
use crate::components::{
    Badge, Button, ButtonKind, ButtonLink, Column, ConfirmPanel, DataTable, Fact, Flow, Icon, List, ListRow,
    MovementRow, QrFrame, Receipt, Tone,
};

pub(super) fn records() -> impl IntoView {
    view! {
        <Part title=say("Lists", "一覧")>{lists().into_any()}</Part>
        <Part title=say("Table", "表")>{table().into_any()}</Part>
        <Part title=say("Confirm, receipt, QR code", "確認・領収書・QRコード")>
            <div class="tiles">{confirm().into_any()} {receipt().into_any()} {qr().into_any()}</div>
        </Part>
    }
}

fn lists() -> impl IntoView {
    let shop = say("Sakura Shop (demo)", "さくら商店 (demo)");
    view! {
        <List>
            <MovementRow title=shop note="12:03" money=yen("850") flow=Flow::Out icon=Icon::Shop href="#1" />
            <MovementRow
                title=say("Top-up at the till", "レジでチャージ")
                note="11:40"
                money=yen("5000")
                flow=Flow::In
                icon=Icon::Plus
                href="#2"
            />
            <MovementRow title=say("Points earned", "ポイント獲得") note="11:40" money=points("50") flow=Flow::In icon=Icon::Leaf />
            <MovementRow
                title=shop
                note=say("Yesterday, 18:21", "昨日 18:21")
                money=yen("1200")
                flow=Flow::Out
                icon=Icon::Shop
                href="#3"
                status=PaymentStatus::PartiallyRefunded
            />
        </List>
        <List>
            <ListRow title=say("Till 1", "レジ 1") note=say("Last seen 12:03", "最終接続 12:03") icon=Icon::Terminal href="#4">
                <Badge tone=Tone::Good icon=Icon::Check>
                    {say("Paired", "接続済み")}
                </Badge>
            </ListRow>
            <ListRow title=say("Language", "言語") />
        </List>
    }
}

fn table() -> impl IntoView {
    let columns = vec![
        Column::text(say("Hour", "時間帯")),
        Column::number(say("Payments", "件数")),
        Column::number(say("Sales", "売上")),
        Column::number(say("Refunds", "返金")),
        Column::number(say("Average", "平均")),
    ];
    let hours = [
        ("10:00", "8", "¥6,400", "¥0", "¥800"),
        ("11:00", "21", "¥18,900", "−¥1,200", "¥900"),
        ("12:00", "64", "¥51,840", "¥0", "¥810"),
    ];
    let rows = hours
        .map(|(hour, count, sales, refunds, average)| {
            view! {
                <tr>
                    <th scope="row">{hour}</th>
                    <td class="number">{count}</td>
                    <td class="number">{sales}</td>
                    <td class="number">{refunds}</td>
                    <td class="number">{average}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <DataTable caption=say("Sales by hour", "時間帯別の売上") columns>
            {rows}
        </DataTable>
    }
}

fn confirm() -> impl IntoView {
    let facts = vec![
        Fact::new(say("Pay with", "支払い方法"), say("Yen balance", "円残高")),
        Fact::new(say("Balance after", "支払い後の残高"), "¥11,550"),
        Fact::new(say("Points earned", "獲得ポイント"), "8 pt"),
    ];
    view! {
        <ConfirmPanel title=say("Pay Sakura Shop (demo)", "さくら商店 (demo) に支払う") money=yen("850") facts>
            <Button button_type="button" wide=true>
                {say("Pay ¥850", "¥850 を支払う")}
            </Button>
            <ButtonLink href="#cancel" kind=ButtonKind::Quiet wide=true>
                {say("Do not pay", "支払わない")}
            </ButtonLink>
        </ConfirmPanel>
    }
}

fn receipt() -> impl IntoView {
    let facts = vec![
        Fact::new(say("Time", "日時"), say("1 April 2030, 12:03", "2030年4月1日 12:03")),
        Fact::new(say("Pay with", "支払い方法"), say("Yen balance", "円残高")),
        Fact::new(say("Points earned", "獲得ポイント"), "8 pt"),
        Fact::new(say("CO₂ saved", "CO₂ 削減量"), "0.120 kg"),
        Fact::new(say("Number", "番号"), "01J8-DEMO-0001"),
    ];
    view! {
        <Receipt
            title=say("Sakura Shop (demo)", "さくら商店 (demo)")
            money=yen("850")
            status=PaymentStatus::Captured
            facts
        >
            <Button kind=ButtonKind::Secondary button_type="button" icon=Icon::Print wide=true>
                {say("Print", "印刷する")}
            </Button>
        </Receipt>
    }
}

fn qr() -> impl IntoView {
    view! {
        <QrFrame svg=SAMPLE_QR label=say("Sakura Shop (demo)", "さくら商店 (demo)") code="K7M2-4Q9X" money=yen("850") />
    }
}

/// The text `KOBAN DEMO`, drawn once.
const SAMPLE_QR: &str = "\
    <svg viewBox='2 2 25 25' shape-rendering='crispEdges'><path d='M4 4h7v1h-7zM13 4h1v1h-1zM16 4h1v1h-1z\
    M18 4h7v1h-7zM4 5h1v1h-1zM10 5h1v1h-1zM13 5h1v1h-1zM16 5h1v1h-1zM18 5h1v1h-1zM24 5h1v1h-1zM4 6h1v1h-1z\
    M6 6h3v1h-3zM10 6h1v1h-1zM12 6h1v1h-1zM14 6h1v1h-1zM16 6h1v1h-1zM18 6h1v1h-1zM20 6h3v1h-3zM24 6h1v1h-1z\
    M4 7h1v1h-1zM6 7h3v1h-3zM10 7h1v1h-1zM13 7h1v1h-1zM16 7h1v1h-1zM18 7h1v1h-1zM20 7h3v1h-3zM24 7h1v1h-1z\
    M4 8h1v1h-1zM6 8h3v1h-3zM10 8h1v1h-1zM12 8h3v1h-3zM16 8h1v1h-1zM18 8h1v1h-1zM20 8h3v1h-3zM24 8h1v1h-1z\
    M4 9h1v1h-1zM10 9h1v1h-1zM12 9h4v1h-4zM18 9h1v1h-1zM24 9h1v1h-1zM4 10h7v1h-7zM12 10h1v1h-1zM14 10h1v1h-1z\
    M16 10h1v1h-1zM18 10h7v1h-7zM13 11h2v1h-2zM16 11h1v1h-1zM5 12h1v1h-1zM8 12h1v1h-1zM10 12h1v1h-1z\
    M12 12h3v1h-3zM17 12h1v1h-1zM19 12h2v1h-2zM22 12h1v1h-1zM4 13h1v1h-1zM7 13h1v1h-1zM9 13h1v1h-1z\
    M12 13h1v1h-1zM15 13h2v1h-2zM22 13h3v1h-3zM4 14h4v1h-4zM10 14h1v1h-1zM12 14h2v1h-2zM15 14h2v1h-2z\
    M18 14h3v1h-3zM22 14h3v1h-3zM4 15h1v1h-1zM6 15h4v1h-4zM13 15h1v1h-1zM17 15h3v1h-3zM22 15h2v1h-2z\
    M4 16h2v1h-2zM7 16h4v1h-4zM12 16h3v1h-3zM17 16h3v1h-3zM21 16h1v1h-1zM23 16h1v1h-1zM12 17h4v1h-4z\
    M17 17h4v1h-4zM22 17h1v1h-1zM4 18h7v1h-7zM14 18h1v1h-1zM16 18h2v1h-2zM22 18h1v1h-1zM4 19h1v1h-1z\
    M10 19h1v1h-1zM14 19h3v1h-3zM21 19h1v1h-1zM23 19h1v1h-1zM4 20h1v1h-1zM6 20h3v1h-3zM10 20h1v1h-1z\
    M12 20h2v1h-2zM16 20h1v1h-1zM18 20h1v1h-1zM20 20h1v1h-1zM22 20h1v1h-1zM24 20h1v1h-1zM4 21h1v1h-1z\
    M6 21h3v1h-3zM10 21h1v1h-1zM14 21h3v1h-3zM19 21h2v1h-2zM23 21h2v1h-2zM4 22h1v1h-1zM6 22h3v1h-3z\
    M10 22h1v1h-1zM14 22h2v1h-2zM18 22h2v1h-2zM22 22h1v1h-1zM4 23h1v1h-1zM10 23h1v1h-1zM12 23h3v1h-3z\
    M17 23h3v1h-3zM22 23h1v1h-1zM24 23h1v1h-1zM4 24h7v1h-7zM13 24h1v1h-1zM16 24h3v1h-3zM21 24h4v1h-4z'/></svg>";
