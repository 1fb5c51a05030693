-- Who may act: people, sessions, API keys, terminals, cards, and the key of every money form that is being shown.
-- Nothing here holds a secret in the clear: passwords and PINs are argon2id hashes (PINs with a pepper that is not in
-- the database), tokens and codes are SHA-256 hashes of random values.

create schema identity;

create table identity.person (
    tenant_id     uuid not null references ledger.tenant,
    person_id     uuid not null,
    role          text not null constraint person_role_known check (role in ('customer', 'merchant', 'admin')),
    -- The customer's wallet or the merchant's store; an admin has none.
    account_id    uuid,
    name          text not null constraint person_name_length check (length(name) between 1 and 100),
    email         text,
    phone         text,
    password_hash text not null,
    created_at    timestamptz not null,
    disabled_at   timestamptz,
    primary key (tenant_id, person_id),
    constraint person_account foreign key (tenant_id, account_id) references ledger.account,
    constraint person_role_account check ((role = 'admin') = (account_id is null)),
    constraint person_reachable check (email is not null or phone is not null),
    constraint person_email_unique unique (tenant_id, role, email),
    constraint person_phone_unique unique (tenant_id, role, phone)
);

-- Browser sessions (tower-sessions); `data` names the tenant and the person. The id is the SHA-256 of the cookie's.
create table identity.session (
    session_id bytea primary key,
    data       jsonb not null,
    expires_at timestamptz not null
);

create index session_by_expiry on identity.session (expires_at);

-- Attempts at a secret (a sign-in, a PIN, a pairing code), counted before the secret is checked.
create table identity.attempt (
    tenant_id    uuid not null,
    -- What is guarded, such as `sign_in:customer:<hash of the address>` or `pin:<card id>`.
    subject      text not null,
    count        integer not null constraint attempt_count_positive check (count > 0),
    window_ends_at timestamptz not null,
    primary key (tenant_id, subject)
);

create table identity.terminal (
    tenant_id           uuid not null references ledger.tenant,
    terminal_id         uuid not null,
    merchant_account_id uuid not null,
    name                text not null constraint terminal_name_length check (length(name) between 1 and 60),
    -- SHA-256 of the device's token.
    token_hash          bytea not null constraint terminal_token_unique unique,
    paired_at           timestamptz not null,
    last_seen_at        timestamptz not null,
    revoked_at          timestamptz,
    primary key (tenant_id, terminal_id),
    constraint terminal_merchant foreign key (tenant_id, merchant_account_id) references ledger.account
);

-- A code that an owner reads out to a new terminal: ten minutes, once.
create table identity.pairing_code (
    tenant_id           uuid not null references ledger.tenant,
    code_hash           bytea not null,
    merchant_account_id uuid not null,
    terminal_name       text not null,
    expires_at          timestamptz not null,
    used_at             timestamptz,
    primary key (tenant_id, code_hash)
);

-- A bearer key of the JSON API. `scopes` holds words such as 'payments:write' or 'debit:any'.
create table identity.api_key (
    tenant_id           uuid not null references ledger.tenant,
    api_key_id          uuid not null,
    name                text not null,
    role                text not null constraint api_key_role_known check (role in ('integration', 'terminal', 'merchant', 'admin')),
    -- The store that a terminal's or merchant's key is bound to.
    merchant_account_id uuid,
    token_hash          bytea not null constraint api_key_token_unique unique,
    created_at          timestamptz not null,
    revoked_at          timestamptz,
    primary key (tenant_id, api_key_id),
    constraint api_key_merchant foreign key (tenant_id, merchant_account_id) references ledger.account,
    constraint api_key_role_merchant check ((role in ('terminal', 'merchant')) = (merchant_account_id is not null))
);

-- A plastic card: a number to type and a PIN that only the customer knows.
create table identity.card (
    tenant_id   uuid not null references ledger.tenant,
    card_id     uuid not null,
    card_number text not null constraint card_number_form check (card_number ~ '^[0-9]{16}$'),
    account_id  uuid not null,
    pin_hash    text not null,
    created_at  timestamptz not null,
    revoked_at  timestamptz,
    primary key (tenant_id, card_id),
    constraint card_number_unique unique (tenant_id, card_number),
    constraint card_account foreign key (tenant_id, account_id) references ledger.account
);

-- The idempotency key of a money form that an actor has open, by what the form is for. Reload, Back and a second tab
-- find the same key, with or without JavaScript; it changes only after a definite outcome.
create table identity.form_key (
    tenant_id  uuid not null,
    actor      text not null,
    purpose    text not null constraint form_key_purpose_length check (length(purpose) between 1 and 200),
    key        text not null,
    created_at timestamptz not null,
    primary key (tenant_id, actor, purpose)
);
