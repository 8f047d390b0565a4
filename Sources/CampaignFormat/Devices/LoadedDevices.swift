/// A devices file after reading.
package struct LoadedDevices: Sendable {
    package let path: String
    /// nil when anything is wrong.
    package let devices: [Device]?
    package let diagnostics: [Diagnostic]

    package init(path: String, devices: [Device]?, diagnostics: [Diagnostic]) {
        self.path = path
        self.devices = devices
        self.diagnostics = diagnostics
    }
}
