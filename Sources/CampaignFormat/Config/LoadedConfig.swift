/// A config file after reading.
package struct LoadedConfig: Sendable {
    package let path: String
    /// nil when anything is wrong.
    package let config: Config?
    package let diagnostics: [Diagnostic]

    package init(path: String, config: Config?, diagnostics: [Diagnostic]) {
        self.path = path
        self.config = config
        self.diagnostics = diagnostics
    }
}
