import ArgumentParser

/// How findings, previews and lists are written.
enum ListFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text
    case json
}
