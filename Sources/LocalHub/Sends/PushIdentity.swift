/// What tells pushes of one send apart: a device gets the payload once, but each of its templates' bodies.
struct PushIdentity: Hashable {
    private let device: DeviceAddress
    private let template: String?

    /// Names the push of a target.
    ///
    /// - Parameter target: the target; of two registrations with one device and one template name, the
    ///   second is a repeat.
    init(_ target: PushTarget) {
        device = target.device
        template = target.registration?.template.map { $0.name ?? "" }
    }
}
