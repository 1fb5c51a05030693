//! What pages say: notices, badges, emptiness, waiting.
use ledger::PaymentStatus;
use leptos::prelude::*;

use super::{Part, say};
use crate::components::{
    Badge, ButtonKind, ButtonLink, Connection, ConnectionLight, EmptyState, Icon, Notice, NoticeKind, Skeleton,
    StatusBadge, Tone,
};

pub(super) fn messages() -> impl IntoView {
    view! {
        <Part title=say("Notices", "お知らせ")>
            <Notice>
                <p>{say("The shop takes yen and points.", "このお店では円とポイントが使えます。")}</p>
            </Notice>
            <Notice kind=NoticeKind::Success title=say("¥850 paid", "¥850 を支払いました") />
            <Notice kind=NoticeKind::Warning title=say("Your points expire soon", "まもなくポイントの期限が切れます")>
                <p>{say("200 pt expire on 31 May.", "200 pt は 5月31日までに使えます。")}</p>
            </Notice>
            <Notice kind=NoticeKind::Error title=say("Not enough balance", "残高が足りません")>
                <p>{say("You need ¥450 more. Top up and pay again.", "あと ¥450 必要です。チャージしてからお支払いください。")}</p>
            </Notice>
            <Notice kind=NoticeKind::Checking title=say("Checking your payment", "お支払いを確認しています")>
                <p>{say("Do not pay again. This page asks until it knows.", "もう一度支払わないでください。結果が分かるまでこのまま確認します。")}</p>
            </Notice>
        </Part>
        <Part title=say("States in a word", "状態の表示")>
            <p class="actions">
                {PaymentStatus::ALL.map(|status| view! { <StatusBadge status /> }).collect_view()}
            </p>
            <p class="actions">
                <Badge>{say("Plain", "標準")}</Badge>
                <Badge tone=Tone::Waiting icon=Icon::Clock>{say("Not paired", "未接続")}</Badge>
                <Badge tone=Tone::Good icon=Icon::Check>{say("Equal", "一致")}</Badge>
                <Badge tone=Tone::Bad icon=Icon::Error>{say("Mismatch", "不一致")}</Badge>
            </p>
            <div class="actions">
                <ConnectionLight connection=Connection::Online />
                <ConnectionLight connection=Connection::Unsteady />
                <ConnectionLight connection=Connection::Offline />
            </div>
        </Part>
        <Part title=say("Nothing yet, and loading", "空の状態と読み込み中")>
            <div class="tiles">
                <EmptyState icon=Icon::Clock title=say("No payments yet", "まだ支払いがありません")>
                    <p>{say("Your first payment will appear here.", "最初のお支払いがここに表示されます。")}</p>
                    <ButtonLink href="#top-up" kind=ButtonKind::Secondary>
                        {say("Top up", "チャージ")}
                    </ButtonLink>
                </EmptyState>
                <Skeleton lines=5 />
            </div>
        </Part>
    }
}
