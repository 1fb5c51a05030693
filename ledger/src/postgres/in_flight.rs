//! The keys that this server is at work on: what it can say of an operation before its outcome is stored.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{id::TenantId, idempotency::IdempotencyKey};

/// A tenant, and a marker's name within it.
type Key = (TenantId, String, IdempotencyKey);

/// The keys in flight, counted because the same key may wait twice; clones share them.
#[derive(Clone, Default)]
pub(super) struct KeysInFlight(Arc<Mutex<HashMap<Key, usize>>>);

impl KeysInFlight {
    pub(super) fn enter(&self, tenant: TenantId, actor: &str, key: &IdempotencyKey) -> InFlight {
        let key = (tenant, actor.to_owned(), key.clone());
        *self.counts().entry(key.clone()).or_default() += 1;
        InFlight {
            keys: self.clone(),
            key,
        }
    }

    pub(super) fn contain(&self, tenant: TenantId, actor: &str, key: &IdempotencyKey) -> bool {
        self.counts().contains_key(&(tenant, actor.to_owned(), key.clone()))
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<Key, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A key's presence among those in flight, for as long as this lives.
pub(super) struct InFlight {
    keys: KeysInFlight,
    key: Key,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut counts = self.keys.counts();
        if let Some(count) = counts.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.key);
            }
        }
    }
}
