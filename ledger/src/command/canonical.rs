//! Commands as text: what the fingerprint of a key is made of.

use std::fmt;

use super::{
    ApplyAdjustment, Authorize, CancelTopUp, Capture, Command, DeclineAdjustment, Expire, ExpireHold, FailPayout,
    Grant, Memo, Pay, ProposeAdjustment, Reason, Refund, Reverse, SetAccountStatus, Settle, TopUp, Transfer, Void,
};
use crate::{asset::AssetCode, id::AccountId};

impl Command {
    /// The command as text, one field a line; a text field is the last, so it can't imitate another field.
    #[must_use]
    pub fn canonical(&self) -> String {
        let text = Canonical::new(self.kind());
        match self {
            Self::Pay(pay) => text.pay(pay),
            Self::Authorize(Authorize { pay, valid_for_s }) => text.field("valid_for_s", valid_for_s).pay(pay),
            Self::Capture(Capture { payment, amount }) => text.field("payment", payment).field("amount", amount),
            Self::Void(Void { payment, reason }) => text.field("payment", payment).reason(reason),
            Self::ExpireHold(ExpireHold { payment }) => text.field("payment", payment),
            Self::Refund(Refund {
                payment,
                amount,
                reason,
            }) => text.field("payment", payment).field("amount", amount).reason(reason),
            Self::TopUp(TopUp { account, asset, amount }) => text.holding(account, asset).field("amount", amount),
            Self::CancelTopUp(CancelTopUp { top_up, reason }) => text.field("top_up", top_up).reason(reason),
            Self::Transfer(Transfer {
                from,
                to,
                asset,
                amount,
                memo,
            }) => text
                .field("from", from)
                .field("to", to)
                .field("asset", asset)
                .field("amount", amount)
                .memo(memo.as_ref()),
            Self::Grant(Grant {
                account,
                asset,
                amount,
                reason,
            }) => text.holding(account, asset).field("amount", amount).reason(reason),
            Self::Expire(Expire { account, asset }) => text.holding(account, asset),
            Self::Reverse(Reverse { transaction, reason }) => text.field("transaction", transaction).reason(reason),
            Self::ProposeAdjustment(ProposeAdjustment {
                account,
                asset,
                direction,
                amount,
                reason,
            }) => text
                .holding(account, asset)
                .field("direction", direction)
                .field("amount", amount)
                .reason(reason),
            Self::ApplyAdjustment(ApplyAdjustment { adjustment }) => text.field("adjustment", adjustment),
            Self::DeclineAdjustment(DeclineAdjustment { adjustment, reason }) => {
                text.field("adjustment", adjustment).reason(reason)
            }
            Self::Settle(Settle {
                merchant,
                asset,
                amount,
            }) => text
                .field("merchant", merchant)
                .field("asset", asset)
                .field("amount", amount),
            Self::FailPayout(FailPayout { payout, reason }) => text.field("payout", payout).reason(reason),
            Self::SetAccountStatus(SetAccountStatus {
                account,
                status,
                reason,
            }) => text.field("account", account).field("status", status).reason(reason),
            Self::Fence => text,
        }
        .0
    }
}

/// A canonical text as it grows.
struct Canonical(String);

impl Canonical {
    fn new(kind: &str) -> Self {
        Self(format!("{kind}\n"))
    }

    fn field(mut self, name: &str, value: impl fmt::Display) -> Self {
        self.0 += &format!("{name}={value}\n");
        self
    }

    fn holding(self, account: &AccountId, asset: &AssetCode) -> Self {
        self.field("account", account).field("asset", asset)
    }

    fn pay(self, pay: &Pay) -> Self {
        self.field("payer", pay.payer)
            .field("merchant", pay.merchant)
            .field("asset", &pay.asset)
            .field("amount", pay.amount)
            .memo(pay.memo.as_ref())
    }

    fn memo(self, memo: Option<&Memo>) -> Self {
        match memo {
            Some(memo) => self.field("memo", memo.as_str()),
            None => self,
        }
    }

    fn reason(self, reason: &Reason) -> Self {
        self.field("reason", reason.as_str())
    }
}
