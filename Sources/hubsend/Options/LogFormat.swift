import ArgumentParser

/// How log lines are written to stderr.
enum LogFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text
    case json
}
