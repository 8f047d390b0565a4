/// A config file after reading.
package struct LoadedConfig: Sendable {
    package let path: String
    /// nil when anything is wrong.
    package let config: Config?
    package let diagnostics: [Diagnostic]
    /// Keys of the contract that nothing acts on yet, each of which also has a warning.
    package let unsupportedKeys: [UnsupportedKey]

    package init(
        path: String, config: Config?, diagnostics: [Diagnostic],
        unsupportedKeys: [UnsupportedKey] = []
    ) {
        self.path = path
        self.config = config
        self.diagnostics = diagnostics
        self.unsupportedKeys = unsupportedKeys
    }
}
