//! Tables that scroll inside their own box on a phone.
use leptos::prelude::*;

/// A column's head; numbers stand at the right, in tabular figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    label: String,
    number: bool,
}

impl Column {
    pub fn text(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            number: false,
        }
    }

    pub fn number(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            number: true,
        }
    }
}

/// Children are the rows; a number's cell has the class `number`, a row's name is a `<th scope="row">`.
/// ```text
/// <DataTable caption="Sales by hour" columns=vec![Column::text("Hour"), Column::number("Sales")]>
///     <tr><th scope="row">"12:00"</th><td class="number">"¥8,400"</td></tr>
/// </DataTable>
/// ```
#[component]
pub fn DataTable(#[prop(into)] caption: String, columns: Vec<Column>, children: Children) -> impl IntoView {
    let label = caption.clone();
    let head = columns
        .into_iter()
        .map(|column| view! { <th scope="col" class:number=column.number>{column.label}</th> })
        .collect_view();
    view! {
        <div class="table" role="region" tabindex="0" aria-label=label>
            <table>
                <caption>{caption}</caption>
                <thead><tr>{head}</tr></thead>
                <tbody>{children()}</tbody>
            </table>
        </div>
    }
}
