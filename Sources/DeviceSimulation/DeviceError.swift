/// The reason why simulated devices cannot run, or why a local hub did not report its name.
package struct DeviceError: Error, Hashable, CustomStringConvertible {
    package let description: String
    /// Whether a later attempt may succeed.
    package let isPassing: Bool

    init(_ description: String, isPassing: Bool = false) {
        self.description = description
        self.isPassing = isPassing
    }
}
