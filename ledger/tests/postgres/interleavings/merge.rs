//! The orders in which scripts can be merged, each script's own order kept.

/// Every order of scripts of these lengths, each as a list of who has the next turn.
pub fn orders(lengths: &[usize]) -> Vec<Vec<usize>> {
    let mut orders = Vec::with_capacity(count(lengths));
    extend(Vec::new(), lengths, &mut orders);
    orders
}

/// Adds every order that begins with `begun`, with `left` turns of each script to come.
fn extend(begun: Vec<usize>, left: &[usize], orders: &mut Vec<Vec<usize>>) {
    if left.iter().all(|left| *left == 0) {
        orders.push(begun);
        return;
    }
    for script in (0..left.len()).filter(|script| left[*script] > 0) {
        let (mut begun, mut left) = (begun.clone(), left.to_vec());
        begun.push(script);
        left[script] -= 1;
        extend(begun, &left, orders);
    }
}

/// How many orders there are: the factorial of all turns over the factorials of each script's.
pub fn count(lengths: &[usize]) -> usize {
    let factorial = |n: usize| (1..=n).product::<usize>();
    factorial(lengths.iter().sum()) / lengths.iter().map(|length| factorial(*length)).product::<usize>()
}

#[test]
fn every_merge_is_there_once() {
    assert_eq!(orders(&[2, 1]), [[0, 0, 1], [0, 1, 0], [1, 0, 0]]);
    for (lengths, expected) in [(&[4, 4][..], 70), (&[5, 5], 252), (&[4, 2, 1], 105), (&[3, 2, 2], 210)] {
        let mut orders = orders(lengths);
        orders.sort();
        orders.dedup();
        assert_eq!((orders.len(), count(lengths)), (expected, expected));
    }
}
