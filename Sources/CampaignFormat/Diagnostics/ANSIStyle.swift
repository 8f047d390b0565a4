/// The terminal styles of diagnostics (ECMA-48, section 8.3.117).
enum ANSIStyle: String, CaseIterable {
    case bold = "\u{1B}[1m"
    case red = "\u{1B}[1;31m"
    case yellow = "\u{1B}[1;33m"

    static let reset = "\u{1B}[0m"
}
