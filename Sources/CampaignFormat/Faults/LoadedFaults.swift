/// A faults file after reading.
package struct LoadedFaults: Sendable {
    /// The file, or what else the text came from.
    package let path: String
    /// The faults in order; nil when anything is wrong.
    package let faults: [Fault]?
    /// What is wrong.
    package let diagnostics: [Diagnostic]
}
