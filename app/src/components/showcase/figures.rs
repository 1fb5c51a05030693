//! Money: amounts, balances, tiles.
use leptos::prelude::*;

use super::{Part, points, say, yen};
use crate::components::{
    Amount, AmountSize, BalanceCard, Button, ButtonKind, ButtonLink, Flow, Icon, MoneyText, StatTile,
};

pub(super) fn figures() -> impl IntoView {
    view! {
        <Part title=say("Balances", "残高")>
            <BalanceCard
                name=say("Yen balance", "円残高")
                money=yen("12400")
                note=say("¥1,000 expires on 30 June", "6月30日に ¥1,000 の期限が切れます")
                featured=true
            >
                <ButtonLink href="#pay" icon=Icon::Pay>
                    {say("Pay", "支払う")}
                </ButtonLink>
                <ButtonLink href="#top-up" kind=ButtonKind::Secondary icon=Icon::Plus>
                    {say("Top up", "チャージ")}
                </ButtonLink>
            </BalanceCard>
            <div class="tiles">
                <BalanceCard
                    name=say("Points", "ポイント")
                    money=points("1280")
                    note=say("200 pt expire on 31 May", "5月31日に 200 pt の期限が切れます")
                />
                <BalanceCard
                    name=say("CO₂ saved", "CO₂ 削減量")
                    money=MoneyText::new("1.250", "kg")
                    note=say("This month", "今月")
                />
                <BalanceCard name=say("New wallet", "新しいウォレット") money=yen("0") />
            </div>
        </Part>
        <Part title=say("Numbers at a glance", "数字のまとめ")>
            <div class="tiles">
                <StatTile label=say("Sales today", "今日の売上") note=say("Last Monday ¥98,400", "先週月曜 ¥98,400")>
                    <Amount money=yen("112300") size=AmountSize::Large />
                </StatTile>
                <StatTile label=say("Payments", "支払い件数") note=say("Last Monday 131", "先週月曜 131件")>
                    "142"
                </StatTile>
                <StatTile label=say("Refunds", "返金")>
                    <Amount money=yen("-1200") size=AmountSize::Large />
                </StatTile>
            </div>
            <p class="actions">
                <Amount money=yen("850") />
                <Amount money=yen("5000") flow=Flow::In />
                <Amount money=yen("850") flow=Flow::Out />
                <Amount money=points("120") flow=Flow::In />
                <Amount money=MoneyText::new("1234567.89", "$") />
                <Button kind=ButtonKind::Quiet button_type="button" icon=Icon::Download>
                    "CSV"
                </Button>
            </p>
        </Part>
    }
}
