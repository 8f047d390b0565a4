import Foundation

struct Message: Sendable {
    /// The registration of the device: the requested one or, by default, the first.
    let registration: Registration
    let users: [String]
    let kept: KeptPush
}

extension HubState {
    func message(_ sequence: Int) -> Message? {
        devices.push(sequence).flatMap { message($0) { _ in true } }
    }

    /// Describes a push, with the requested registration if it belongs to the device; nil if the
    /// device has no registration.
    func message(_ kept: KeptPush, by isLookedFor: (Registration) -> Bool) -> Message? {
        let registrations = registrations(showing: kept.device)
        return (registrations.first(where: isLookedFor) ?? registrations.first).map {
            Message(registration: $0, users: UserNames.names(of: registrations), kept: kept)
        }
    }
}

struct MessageReport: Encodable {
    private struct Rest: Encodable {
        let tags: [String]
        let users: [String]
        let appearance: MessageAppearance
    }

    private let push: PushReport
    private let device: ReachedDevice
    private let rest: Rest

    init(_ message: Message) {
        push = PushReport(message.kept)
        device = ReachedDevice(message.registration)
        rest = Rest(
            tags: message.registration.tags.sorted(), users: message.users,
            appearance: MessageAppearance(of: message.kept.push))
    }

    func encode(to encoder: any Encoder) throws {
        try push.encode(to: encoder)
        try device.encode(to: encoder)
        try rest.encode(to: encoder)
    }
}

struct ReachedDevice: Encodable {
    private let registration: String
    private let installation: String?
    private let platform: LocalHubPlatform
    private let handle: String

    init(_ registration: Registration) {
        self.registration = registration.id
        installation = registration.installationID
        platform = registration.platform
        handle = registration.channel.handle
    }
}

struct MessageDetails: Encodable {
    private struct Origin: Encodable {
        /// The request; null if the hub no longer has it.
        @NullWhenNil var request: RequestReport?
    }

    private let message: MessageReport
    private let origin: Origin

    init(_ message: Message, of notification: NotificationRecord?) {
        self.message = MessageReport(message)
        origin = Origin(request: notification.flatMap(RequestReport.init))
    }

    func encode(to encoder: any Encoder) throws {
        try message.encode(to: encoder)
        try origin.encode(to: encoder)
    }
}

struct PushReport: Encodable {
    private struct Members: Encodable {
        let sequence: Int
        let notification: String
        let time: Date
        let outcome: PushOutcome
        /// The reason for a failure; omitted if the push reached the device.
        let reason: String?
        let headers: [String: String]
    }

    private let members: Members
    private let body: ShownBody

    init(_ kept: KeptPush) {
        let push = kept.push
        members = Members(
            sequence: kept.sequence, notification: push.notificationID, time: push.time,
            outcome: push.outcome, reason: push.reason, headers: push.headers)
        body = ShownBody(push.body)
    }

    func encode(to encoder: any Encoder) throws {
        try members.encode(to: encoder)
        try body.encode(to: encoder)
    }
}
