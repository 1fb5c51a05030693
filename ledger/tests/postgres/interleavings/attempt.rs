//! Attempts at a PIN are counted before it is looked at: two at once are two (A45).

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use super::{
    Law, Stage, Subject,
    script::{Facts, Script, Step, ask, write},
    town::TENANT,
};

const LIMIT: u32 = 5;

/// Four attempts are used up; the fifth is looked at, the sixth is not.
const ONE_IS_LEFT: Law = &[
    ("TOO_MANY_ATTEMPTS, WRONG_PIN: 6", 10),
    ("WRONG_PIN, TOO_MANY_ATTEMPTS: 6", 10),
];

fn two(attempt: fn() -> Script) -> Subject {
    Subject {
        fresh: format!(
            "delete from identity.attempt;
             insert into identity.attempt values ('{TENANT}', 'pin:card', 4, now() + interval '30 minutes')"
        ),
        scripts: vec![attempt(), attempt()],
        outcome: "select count::text from identity.attempt".to_owned(),
    }
}

fn counted_first() -> Script {
    Script::transaction(vec![raise(), write("commit", |_| "commit".to_owned()), verify(LIMIT)])
}

fn looked_at_first() -> Script {
    let count = "select count from identity.attempt where subject = 'pin:card'";
    let read = ask("read count", |_| count.to_owned());
    // The attempt to come is not in the count.
    Script::statements(vec![read, verify(LIMIT - 1), raise()])
}

fn raise() -> Step {
    ask("raise", |_| {
        format!(
            "insert into identity.attempt as attempt (tenant_id, subject, count, window_ends_at)
             values ('{TENANT}', 'pin:card', 1, now() + interval '30 minutes')
             on conflict (tenant_id, subject) do update set
                 count = case when attempt.window_ends_at <= now() then 1 else least(attempt.count + 1, 1000000) end,
                 window_ends_at = case when attempt.window_ends_at <= now()
                     then excluded.window_ends_at else attempt.window_ends_at end
             returning count"
        )
    })
}

/// Looks at the PIN, which is wrong, if the count allows it.
fn verify(limit: u32) -> Step {
    ask("verify", move |facts: &mut Facts| {
        let count: u32 = facts.value("count").unwrap().parse().unwrap();
        if count > limit {
            return facts.answer("TOO_MANY_ATTEMPTS", "");
        }
        let card = "select account_id, pin_hash from identity.card where card_number = '9' and revoked_at is null";
        facts.answer("WRONG_PIN", card)
    })
}

#[sqlx::test(migrations = "../migrations")]
async fn no_attempt_past_the_limit_is_looked_at(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 2).await;
    stage.run(&two(counted_first)).await.assert(20, 14, ONE_IS_LEFT);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_pin_that_is_looked_at_before_it_is_counted_is_found(_: PgPoolOptions, options: PgConnectOptions) {
    let mut stage = Stage::new(options, 2).await;
    stage
        .finds(&two(looked_at_first), ONE_IS_LEFT, "WRONG_PIN, WRONG_PIN")
        .await;
}
