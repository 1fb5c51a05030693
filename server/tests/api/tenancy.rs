//! Nothing of one tenant is reachable with another's key (MISSION H4).

use crate::world::World;
use serde_json::json;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

#[sqlx::test(migrations = "../migrations")]
async fn another_tenants_key_opens_nothing(_: PgPoolOptions, options: PgConnectOptions) {
    let world = World::new(options).await;
    let (town, other) = (&world.town, &world.other_town);
    let payment = world.pay("k", &world.payment("10")).await.json()["payment_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let refund = json!({ "amount": "1", "reason": "x" });
    let top_up = json!({ "account_id": town.customer, "asset": "ECOPAY", "amount": "1" });
    for token in [&other.integration, &other.admin] {
        assert_eq!(
            world
                .get(&format!("/api/v1/payments/{payment}"), token)
                .await
                .problem()
                .0,
            404
        );
        assert_eq!(
            world
                .get(&format!("/api/v1/accounts/{}/balances", town.customer), token)
                .await
                .problem()
                .0,
            404
        );
        assert_eq!(
            world
                .post(
                    &format!("/api/v1/payments/{payment}/refunds"),
                    token,
                    Some("k"),
                    &refund
                )
                .await
                .problem()
                .0,
            404
        );
        assert_eq!(
            world
                .post("/api/v1/top-ups", token, Some("k"), &top_up)
                .await
                .problem()
                .0,
            404
        );
    }
    let mut by_code = world.payment("10");
    by_code["payer"] = json!({ "code": town.customer_code });
    by_code["merchant_account_id"] = json!(other.store);
    assert_eq!(
        world
            .post("/api/v1/payments", &other.terminal, Some("k"), &by_code)
            .await
            .problem()
            .0,
        404
    );
    assert_eq!(world.balance(town, town.customer).await, 990.into());
}
