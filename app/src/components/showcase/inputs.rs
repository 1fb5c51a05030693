//! Buttons and fields, in every state.
use leptos::prelude::*;

use super::{Part, say};
use crate::components::{AmountField, Button, ButtonKind, ButtonLink, Icon, InputKind, SelectField, TextField};

pub(super) fn buttons() -> impl IntoView {
    let kinds = [
        (ButtonKind::Primary, say("Primary", "主な操作")),
        (ButtonKind::Secondary, say("Secondary", "次の操作")),
        (ButtonKind::Quiet, say("Quiet", "控えめな操作")),
    ];
    let rows = kinds
        .map(|(kind, name)| {
            view! {
                <div class="actions">
                    <Button kind button_type="button">
                        {name}
                    </Button>
                    <Button kind button_type="button" icon=Icon::Print>
                        {say("With icon", "アイコン付き")}
                    </Button>
                    <Button kind button_type="button" busy=true>
                        {name}
                    </Button>
                    <Button kind button_type="button" disabled=true>
                        {say("Disabled", "使用不可")}
                    </Button>
                    <ButtonLink kind href="#link">
                        {say("Link", "リンク")}
                    </ButtonLink>
                </div>
            }
        })
        .collect_view();
    view! {
        <Part title=say("Buttons", "ボタン")>
            {rows}
            <div class="form">
                <Button button_type="button" wide=true>
                    {say("Pay ¥850", "¥850 を支払う")}
                </Button>
            </div>
        </Part>
    }
}

pub(super) fn fields() -> impl IntoView {
    view! {
        <Part title=say("Fields", "入力欄")>
            <div class="tiles">
                <div class="form">{amounts().into_any()}</div>
                <div class="form">{texts().into_any()}</div>
                <div class="form">{choices().into_any()}</div>
            </div>
        </Part>
    }
}

fn amounts() -> impl IntoView {
    view! {
        <AmountField name="amount" label=say("Amount", "金額") unit="¥" />
        <AmountField
            name="typed"
            label=say("Amount to refund", "返金額")
            unit="¥"
            value="1e3"
            hint=say("Up to ¥2,000", "¥2,000 まで")
            error=Some(say("Type digits only, such as 1000.", "1000 のように数字だけで入力してください。").to_owned())
        />
        <AmountField name="points" label=say("Points", "ポイント") unit="pt" value="120" />
        <AmountField name="fixed" label=say("Amount set by the shop", "お店が決めた金額") unit="¥" value="850" disabled=true />
    }
}

fn texts() -> impl IntoView {
    view! {
        <TextField name="email" label=say("E-mail", "メールアドレス") kind=InputKind::Email required=true />
        <TextField
            name="password"
            label=say("Password", "パスワード")
            kind=InputKind::Password
            hint=say("At least 10 characters", "10文字以上")
        />
        <TextField
            name="phone"
            label=say("Phone number", "電話番号")
            kind=InputKind::Phone
            value="090-0000-000"
            error=Some(say("One digit is missing.", "1桁足りません。").to_owned())
        />
        <TextField name="code" label=say("Shop code", "店舗コード") kind=InputKind::Code value="K7M2-4Q9X" />
    }
}

fn choices() -> impl IntoView {
    let assets = || {
        vec![
            ("jpy".to_owned(), say("Yen balance", "円残高").to_owned()),
            ("pt".to_owned(), say("Points", "ポイント").to_owned()),
        ]
    };
    view! {
        <SelectField name="asset" label=say("Pay with", "支払い方法") options=assets() value="pt" />
        <SelectField
            name="wrong"
            label=say("Pay with", "支払い方法")
            options=assets()
            error=Some(say("This shop does not take points.", "このお店ではポイントを使えません。").to_owned())
        />
        <TextField name="day" label=say("Day", "日付") kind=InputKind::Date value="2030-04-01" />
        <TextField name="pin" label=say("PIN", "暗証番号") kind=InputKind::Pin max_length=4 />
        <TextField name="closed" label=say("Cannot be changed", "変更できません") value="Demo Customer A" disabled=true />
    }
}
