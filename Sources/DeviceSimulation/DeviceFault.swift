/// Why simulated devices cannot work, or a local hub did not say its name.
package struct DeviceFault: Error, Hashable, CustomStringConvertible {
    package let description: String
    /// Whether a later attempt may succeed.
    package let isPassing: Bool

    init(_ description: String, isPassing: Bool = false) {
        self.description = description
        self.isPassing = isPassing
    }
}
