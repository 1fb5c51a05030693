# Everything people do with this repository. `make help` lists it.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run build release test check laws fmt sqlx sqlx-check test-rust test-browser bench bench-full mutants verify clean reset-demo setup setup-test setup-bench

# One profile and one set of packages for everything: dependencies compile once.
CARGO_FLAGS := --release --locked

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Build and start: a demo town on a private PostgreSQL; with DATABASE_URL set, that server and no town
	@exec target/release/koban demo

build: setup ## Build target/release/koban and the site in target/site
	cargo build $(CARGO_FLAGS) --bin koban --bin xtask
	cargo xtask site

release: setup ## Build for shipping: target/dist/ holds koban, hash.txt and site/, small and fully optimised
	cargo build --profile dist --locked --bin koban
	cargo xtask site --release

test: setup-test check sqlx-check test-rust test-browser ## Run every test; what CI runs

check: ## The quick half of the tests: format, lints, purity of the ledger, its laws and golden vectors
	cargo fmt --all --check
	cargo clippy $(CARGO_FLAGS) --all-targets -- -D warnings
	cargo clippy $(CARGO_FLAGS) --package frontend -- -D warnings
	cargo xtask purity
	cargo test $(CARGO_FLAGS) --test laws --test vectors

laws: ## The laws alone; LAWS_CASES=20000 for the long run
	cargo test $(CARGO_FLAGS) --test laws

fmt: ## Format the code
	cargo fmt --all

sqlx: ## Rewrite .sqlx after a query or a migration changed
	scripts/sqlx

sqlx-check: ## Fail if .sqlx is not what the queries and migrations say
	scripts/sqlx --check

test-rust: ## Laws, golden vectors, PostgreSQL and API tests on a private cluster
	scripts/with-postgres cargo test $(CARGO_FLAGS)

test-browser: build end2end/node_modules/.package-lock.json ## Browser tests on the real server, with JavaScript on and off
	cd end2end && KOBAN_BIN=$(CURDIR)/target/release/koban npm test

end2end/node_modules/.package-lock.json: end2end/package-lock.json
	cd end2end && npm ci --no-audit --no-fund
	touch $@

bench: build setup-bench ## Measure payments per second beside the ordinary way and the bare batch; flushes to disk as production does
	KOBAN_FSYNC=1 scripts/with-postgres cargo bench --locked --bench payments
	scripts/bench-http

bench-full: setup-bench ## Measure a town with ten million payments of the past beside one without; needs 20 GB of disk
	KOBAN_FSYNC=1 scripts/with-postgres cargo bench --locked --bench payments -- filled

mutants: setup-test ## Break each guard of the ledger in turn: a test must notice
	scripts/mutants

verify: ## Prove the books of the demo's data, or of DATABASE_URL
	target/release/koban verify $(if $(DATABASE_URL),,--data data)

reset-demo: ## Delete the demo's data; the next `make run` starts a new town
	rm -rf "$$(readlink -f data/postgres)" data

clean: ## Delete everything that was built
	cargo clean
	rm -rf end2end/node_modules

setup: ## Install what building needs and this machine lacks
	@scripts/setup

setup-bench: ## The same for measuring
	@scripts/setup bench

setup-test: ## The same for testing
	@scripts/setup test
