//! Cards and PINs: tries are counted before they are checked (SECURITY S22).

use crate::world::{CARD, PIN, Reply, World};
use serde_json::json;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

async fn pay(world: &World, card_number: &str, pin: &str) -> Reply {
    let mut body = world.payment("1");
    body["payer"] = json!({ "card_number": card_number, "pin": pin });
    world.post("/api/v1/payments", &world.town.terminal, None, &body).await
}

#[sqlx::test(migrations = "../migrations")]
async fn a_wrong_pin_and_an_unknown_card_answer_alike(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (wrong, unknown) = (
        pay(&world, CARD, "0000").await,
        pay(&world, "9999999999999999", PIN).await,
    );
    assert_eq!(wrong.problem(), (400, "WRONG_PIN".to_owned(), "pin".to_owned()));
    assert_eq!(wrong.bytes, unknown.bytes);
    assert_eq!(pay(&world, CARD, PIN).await.status, 201);
}

#[sqlx::test(migrations = "../migrations")]
async fn of_fifty_parallel_guesses_five_are_looked_at(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let pins: Vec<String> = (0..50).map(|n| format!("{n:04}")).collect();
    let replies = futures::future::join_all(pins.iter().map(|pin| pay(&world, CARD, pin))).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 400).count(), 5);
    let refused: Vec<&Reply> = replies.iter().filter(|reply| reply.status == 429).collect();
    assert_eq!(refused.len(), 45);
    assert!(refused.iter().all(|reply| reply.header("retry-after").is_some()));
    assert_eq!(
        pay(&world, CARD, PIN).await.problem().0,
        429,
        "the right PIN does not open a locked card"
    );
    assert_eq!(
        pay(&world, "9000000000000002", PIN).await.status,
        201,
        "another card is not locked"
    );
}
