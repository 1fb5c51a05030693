//! The icons: one stroke, a 24-unit grid, drawn for this product. They never stand alone without a name beside them.
use leptos::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    Back,
    Calendar,
    Camera,
    Card,
    Chart,
    Check,
    Clock,
    Code,
    Download,
    Error,
    Globe,
    Home,
    Info,
    Leaf,
    Lock,
    Next,
    Pay,
    People,
    Person,
    Plus,
    Print,
    Receipt,
    Refund,
    Scale,
    Search,
    Send,
    Shield,
    Shop,
    SignOut,
    Terminal,
    Warning,
}

impl Icon {
    pub const ALL: [Self; 31] = [
        Self::Back,
        Self::Calendar,
        Self::Camera,
        Self::Card,
        Self::Chart,
        Self::Check,
        Self::Clock,
        Self::Code,
        Self::Download,
        Self::Error,
        Self::Globe,
        Self::Home,
        Self::Info,
        Self::Leaf,
        Self::Lock,
        Self::Next,
        Self::Pay,
        Self::People,
        Self::Person,
        Self::Plus,
        Self::Print,
        Self::Receipt,
        Self::Refund,
        Self::Scale,
        Self::Search,
        Self::Send,
        Self::Shield,
        Self::Shop,
        Self::SignOut,
        Self::Terminal,
        Self::Warning,
    ];

    fn path(self) -> &'static str {
        match self {
            Self::Back => "M14.5 5.5 8 12l6.5 6.5",
            Self::Calendar => "M4 6h16v14H4zM4 10.5h16M8.5 3.5V8M15.5 3.5V8",
            Self::Camera => "M3.5 7.5h4l1.5-2.5h6l1.5 2.5h4V19h-17zM12 9.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
            Self::Card => "M3 6h18v12.5H3zM3 10.5h18M6.5 15h4",
            Self::Chart => "M4 20h16M7 16.5V12M12 16.5V5M17 16.5V9",
            Self::Check => "M4.5 12.5 9.5 17.5 19.5 7",
            Self::Clock => "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2.5",
            Self::Code => "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5M20 14v2.5M14 17v3h3M20 19.5v.5",
            Self::Download => "M12 4v11M7.5 11 12 15.5 16.5 11M4.5 20h15",
            Self::Error => "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM9 9l6 6M15 9l-6 6",
            Self::Globe => {
                "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.5 12h17M12 3.5c5 5 5 12 0 17M12 3.5c-5 5-5 12 0 17"
            }
            Self::Home => "M4 11 12 4.5 20 11v9h-5.5v-5.5h-5V20H4z",
            Self::Info => "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5.5M12 7.5v.5",
            Self::Leaf => "M5 19c0-9 5-14 15-14 0 10-5 14-12 13.5M5 20c1.5-5 4.5-8 9-10",
            Self::Lock => "M5.5 10.5h13V20h-13zM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5M12 14v2.5",
            Self::Next => "M9.5 5.5 16 12l-6.5 6.5",
            Self::Pay => {
                "M12 3c-3.5 0-6 2.5-6 6v6c0 3.5 2.5 6 6 6s6-2.5 6-6V9c0-3.5-2.5-6-6-6zM9.5 8 12 11.5 14.5 8M12 11.5V17M9.5 13.5h5"
            }
            Self::People => {
                "M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM2.5 20c0-3.5 2.5-5.5 6.5-5.5s6.5 2 6.5 5.5M15.5 5.5a3.2 3.2 0 0 1 0 6M18 14.800c2.300.7 3.5 2.5 3.5 5.200"
            }
            Self::Person => "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.5c0-4 3-6 7.5-6s7.5 2 7.5 6",
            Self::Plus => "M12 5v14M5 12h14",
            Self::Print => "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
            Self::Receipt => "M6 3.5h12V20.5l-3-2-3 2-3-2-3 2zM9 8.5h6M9 12.5h6",
            Self::Refund => "M9 5 4.5 9.5 9 14M4.5 9.5H15a4.5 4.5 0 0 1 0 9H9",
            Self::Scale => "M12 4v16M7.5 20h9M5 7h14M5 7l-2.5 6h5zM19 7l-2.5 6h5z",
            Self::Search => "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20.5 20.5",
            Self::Send => "M20.5 3.5 3.5 10.5l7 3 3 7zM10.5 13.5l4-4",
            Self::Shield => "M12 3.5 19 6v6c0 4.5-3 7.5-7 8.5-4-1-7-4-7-8.5V6zM9 12l2.200 2.200L15 10",
            Self::Shop => {
                "M4 10v10h16V10M3 9.5 5 4h14l2 5.5c0 3-4 3-4.5.5-.5 2.5-4 2.5-4.5 0-.5 2.5-4 2.5-4.5 0C7 12.5 3 12.5 3 9.5zM9.5 20v-5h5v5"
            }
            Self::SignOut => "M10 4H4.5v16H10M14 7.5l4.5 4.5-4.5 4.5M18.5 12H9",
            Self::Terminal => "M6 3h12v18H6zM9 6.5h6V10H9zM9 13.5h.5M12 13.5h.5M15 13.5h.5M9 17h.5M12 17h.5M15 17h.5",
            Self::Warning => "M12 4 21 19.5H3zM12 10v4.5M12 17v.3",
        }
    }

    /// The drawing; it takes the size and colour of the text around it. Its type is erased, like that of every
    /// frame, so that the types of pages stay small enough for the compiler.
    pub fn draw(self) -> AnyView {
        view! {
            <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
                <path d=self.path() />
            </svg>
        }
        .into_any()
    }
}
