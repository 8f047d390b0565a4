public import Foundation

/// A device's side of the app backend: it registers the device, and turns pushes into what is to be shown.
///
/// ```swift
/// let folder = URL.applicationSupportDirectory
/// let client = try BackendClient(
///     origin: URL(string: "https://push.example")!,
///     registration: FileRegistrationIDStore(file: folder.appending(path: "registration")),
///     shown: FileShownNotificationStore(file: folder.appending(path: "shown")),
///     transport: URLSessionTransport(),
///     credential: { await Account.shared.token.map(DeviceCredential.token) })
/// ```
///
/// The credential goes to this origin and nowhere else: never over plain http but to the device itself, never across a
/// redirect. One client serves a whole app.
public actor BackendClient {
    /// Gives the credential for the next request; nil when nobody is signed in.
    ///
    /// What it throws comes to the app as ``BackendClientError/credentialUnavailable(_:)``.
    public typealias CredentialSource = @Sendable () async throws -> DeviceCredential?

    private let registration: any RegistrationIDStore
    private let shown: any ShownNotificationStore
    private let settings: BackendClientSettings
    /// Notifications that are being fetched for a push.
    private var underWay: Set<NotificationID> = []
    /// Notifications that were fetched, and of which the store is being told that they are shown.
    private var shownNow: Set<NotificationID> = []
    /// The credential that the backend refused last, unless it has taken it since.
    private var lastRefused: DeviceCredential?
    private let origin: BackendOrigin
    private let transport: any DeviceTransport
    private let credential: CredentialSource

    /// Makes a client; connects nowhere yet.
    ///
    /// - Parameters:
    ///   - origin: the backend's address, such as `https://push.example`; plain http only for `localhost`, `127.0.0.1`, `::1`.
    ///   - registration: where the registration id is kept.
    ///   - shown: where it is kept which notifications were shown.
    ///   - settings: limits and texts.
    ///   - transport: what carries the requests, usually a `URLSessionTransport` of `DeviceURLSession`.
    ///   - credential: asked for each request, so that a renewed token is used at once.
    /// - Throws: ``BackendClientError/unusableOrigin(_:)``.
    public init(
        origin: URL, registration: any RegistrationIDStore, shown: any ShownNotificationStore,
        settings: BackendClientSettings = BackendClientSettings(),
        transport: any DeviceTransport,
        credential: @escaping CredentialSource
    ) throws(BackendClientError) {
        self.origin = try BackendOrigin(origin)
        self.registration = registration
        self.shown = shown
        self.settings = settings
        self.transport = transport
        self.credential = credential
    }

    /// Sends a request with the credential.
    ///
    /// - Parameters:
    ///   - method: its method.
    ///   - path: the segments of its path.
    ///   - query: its query.
    ///   - body: what is sent along, as JSON.
    /// - Returns: the answer, whose status is one of success.
    /// - Throws: ``BackendClientError`` for everything else.
    func send(
        _ method: String, _ path: [String], _ query: KeyValuePairs<String, String> = [:],
        body: Data? = nil
    ) async throws(BackendClientError) -> DeviceResponse {
        let url = try origin.url(path, query)
        guard let credential = try await currentCredential() else { throw .noCredential }
        var headers = ["Authorization": try credential.authorization()]
        if body != nil { headers["Content-Type"] = "application/json;charset=utf-8" }
        let request = DeviceRequest(
            method: method, url: url, headers: headers, body: body,
            answerLimit: settings.longestAnswer, timeout: settings.timeout)
        let response = try await inTime(settings.timeout) {
            [transport] () async throws(BackendClientError) in
            try await BackendClientError.asking(BackendClientError.transportFailed) {
                try await transport.send(request)
            }
        }
        guard response.body.count <= settings.longestAnswer else {
            throw .answerTooLong(limit: settings.longestAnswer)
        }
        switch response.status {
        case 200..<300:
            if lastRefused == credential { lastRefused = nil }
            return response
        case 300..<400: throw .redirected(status: response.status)
        case 401:
            lastRefused = credential
            throw .credentialRefused
        case 403: throw .forbidden
        default: throw .status(response.status, retryAfter: response.retryAfter)
        }
    }

    /// The registration id that was kept last; nil when there is none.
    func keptRegistrationID() async throws(BackendClientError) -> String? {
        try await BackendClientError.asking(BackendClientError.storeUnavailable) {
            try await registration.registrationID()
        }
    }

    /// Keeps another registration id; nil: the device is not registered now.
    func keepRegistrationID(_ id: String?) async throws(BackendClientError) {
        try await BackendClientError.asking(BackendClientError.storeUnavailable) {
            try await registration.keep(id)
        }
    }

    /// Turns a push into what is to be shown: fetches what it names, once however often it comes.
    ///
    /// Without a credential, or with one that cannot be used or is refused, it is the generic text, which is the push's own
    /// placeholder where it has one. A credential that was refused is not sent for a push again, until there is another one
    /// or one of the other calls succeeds with it: a backend takes repeated failures for guessing.
    ///
    /// Pushes of one id are one notification: what comes while the first is being fetched, or after this call returned it,
    /// shows nothing; ``forget(_:)`` undoes that where it could not be shown. A fetch that failed does not count, so that
    /// the next push of the id, or another call, tries again.
    ///
    /// - Parameter push: what came.
    /// - Returns: what is to be shown.
    /// - Throws: ``BackendClientError``, whose `isPassing` says whether to try again, and which is
    ///   ``BackendClientError/timedOut`` after ``BackendClientSettings/handlingTimeout``.
    public func handle(
        _ push: DevicePush
    ) async throws(BackendClientError) -> DeviceNotification {
        switch push.purpose {
        case .secure(let id), .rich(let id, _, _): try await once(id, push)
        case .alert(let text): .alert(text, extras: push.extras)
        case .notOurs: .nothing(.notOurs)
        }
    }

    /// Fetches what takes the place of a push's placeholder, in time; else the placeholder stays.
    ///
    /// It is for a notification service extension of iOS, and for whatever else has one chance and little time: it throws
    /// nothing, tries again what fails for a passing reason while there is time for it, and ends within
    /// ``BackendClientSettings/replacingTimeout`` with either what was fetched or the reason why the placeholder stays.
    /// A credential that was refused is not sent again, as in ``handle(_:)``.
    ///
    /// The system shows a push again that comes again, so a repeat is treated as the first: its text is fetched and shown
    /// too. ``PlaceholderReplacement/notification(_:isRepeat:)`` says that it is one, so that the app can take the
    /// first one away.
    ///
    /// - Parameter push: what came.
    /// - Returns: what to show.
    public func replacement(for push: DevicePush) async -> PlaceholderReplacement {
        guard let id = push.id, push.canReplacePlaceholder else {
            return .placeholder(.nothingToReplace)
        }
        let isFirst = underWay.insert(id).inserted
        defer { if isFirst { underWay.remove(id) } }
        let limit = settings.replacingTimeout
        let end = ContinuousClock.now + limit
        do throws(BackendClientError) {
            let notification = try await inTime(limit) { () async throws(BackendClientError) in
                try await self.fetched(push, until: end)
            }
            return .notification(notification, isRepeat: await isRepeat(id, until: end))
        } catch {
            return .placeholder(PlaceholderReason(error))
        }
    }

    /// Takes back that a notification was shown; call it when the system refused to show what ``handle(_:)`` returned.
    ///
    /// The next push of the id, or another call with the same one, fetches it again.
    ///
    /// - Parameter id: the notification.
    /// - Throws: ``BackendClientError/storeUnavailable(_:)``.
    public func forget(_ id: NotificationID) async throws(BackendClientError) {
        try await BackendClientError.asking(BackendClientError.storeUnavailable) {
            try await shown.remove(id)
        }
    }

    private func once(
        _ id: NotificationID, _ push: DevicePush
    ) async throws(BackendClientError) -> DeviceNotification {
        guard underWay.insert(id).inserted else { return .nothing(.shownBefore) }
        defer { underWay.remove(id) }
        let wasShown = try await BackendClientError.asking(BackendClientError.storeUnavailable) {
            try await shown.contains(id)
        }
        guard !wasShown else { return .nothing(.shownBefore) }
        let generic = DeviceNotification.generic(
            id: id, text: push.placeholder ?? settings.genericText)
        let notification: DeviceNotification
        do throws(BackendClientError) {
            notification = try await inTime(settings.handlingTimeout) {
                () async throws(BackendClientError) in
                if try await self.isSignInRefused() { return generic }
                do throws(BackendClientError) {
                    return try await self.fetched(push)
                } catch {
                    // Pushes that came together were all sent before the first one was refused.
                    guard error.isTooManyRequests, try await self.isSignInRefused() else {
                        throw error
                    }
                    return generic
                }
            }
        } catch BackendClientError.gone {
            return .nothing(.gone)
        } catch BackendClientError.noCredential, BackendClientError.credentialUnusable,
            BackendClientError.credentialRefused, BackendClientError.forbidden
        {
            notification = generic
        }
        // Beyond the deadline: what is kept as shown is returned too.
        return try await markShown(id) ? .nothing(.shownBefore) : notification
    }

    /// Does work off the actor and ends in time, also if the work heeds no cancellation: what it gives later is dropped.
    private func inTime<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws(BackendClientError) -> Value
    ) async throws(BackendClientError) -> Value {
        let (ends, first) = AsyncStream.makeStream(
            of: Result<Value, BackendClientError>.self, bufferingPolicy: .bufferingOldest(1))
        // Not a task group, which would wait for all of its tasks.
        let working = Task { @concurrent in
            do throws(BackendClientError) {
                first.yield(.success(try await work()))
            } catch {
                first.yield(.failure(error))
            }
        }
        let waiting = Task { @concurrent [sleep = settings.sleep] in
            do {
                try await sleep(limit)
                first.yield(.failure(.timedOut))
            } catch {
                // The work was faster, or the caller was cancelled.
            }
        }
        defer {
            working.cancel()
            waiting.cancel()
        }
        let end = await ends.first { _ in true } ?? .failure(.cancelled)
        return try end.get()
    }

    /// What a push names, fetched.
    private func fetched(
        _ push: DevicePush
    ) async throws(BackendClientError) -> DeviceNotification {
        switch push.purpose {
        case .secure(let id): try await fetchSecureNotification(id)
        case .rich(let id, let type, let message):
            .rich(try await rich(id, type: type, message: message, extras: push.extras))
        case .alert, .notOurs: .nothing(.notOurs)
        }
    }

    /// What a push names, fetched, with another try after each failure that may pass in time.
    private func fetched(
        _ push: DevicePush, until end: ContinuousClock.Instant
    ) async throws(BackendClientError) -> DeviceNotification {
        var pause = settings.firstPause
        while true {
            if try await isSignInRefused() { throw .credentialRefused }
            do throws(BackendClientError) {
                return try await fetched(push)
            } catch {
                // A backend that names no time, or none at all, is not asked the faster for it.
                let wait = max(error.retryAfter ?? pause, pause)
                // Whoever waits for nothing sees the placeholder later.
                guard error.isPassing, ContinuousClock.now + wait < end else { throw error }
                do {
                    try await settings.sleep(wait)
                } catch {
                    throw .cancelled
                }
                pause = pause * 2
            }
        }
    }

    /// Whether a notification was shown before, which is kept from now on; nil when the store does not say so in time.
    ///
    /// The text is there: a store that fails does not keep it from being shown.
    private func isRepeat(_ id: NotificationID, until end: ContinuousClock.Instant) async -> Bool? {
        do throws(BackendClientError) {
            return try await inTime(end - .now) { () async throws(BackendClientError) in
                try await self.markShown(id)
            }
        } catch {
            return nil
        }
    }

    /// Keeps that a notification is shown, once it is fetched.
    ///
    /// Of several that come here, one alone is told that it is the first: the one whose text is there first, whichever began,
    /// also while the store has not answered it yet.
    ///
    /// - Returns: whether it was shown before.
    private func markShown(_ id: NotificationID) async throws(BackendClientError) -> Bool {
        guard shownNow.insert(id).inserted else { return true }
        defer { shownNow.remove(id) }
        return try await BackendClientError.asking(BackendClientError.storeUnavailable) {
            guard try await !shown.contains(id) else { return true }
            try await shown.insert(id)
            return false
        }
    }

    private func rich(
        _ id: NotificationID, type: String?, message: String?, extras: NotificationExtras
    ) async throws(BackendClientError) -> RichNotification {
        var (type, message, extras) = (type, message, extras)
        if message == nil {
            // It is too private for a push, or there is none.
            let metadata = try await fetchMetadata(id)
            message = metadata.message
            type = type ?? metadata.type
            if metadata.extras != .none { extras = metadata.extras }
        }
        let content = try await fetch(id)
        return RichNotification(
            id: id, type: type, message: message, extras: extras, content: content)
    }

    /// Whether there is still no other credential than the one that the backend refused.
    ///
    /// - Throws: ``BackendClientError/credentialUnavailable(_:)``.
    private func isSignInRefused() async throws(BackendClientError) -> Bool {
        guard lastRefused != nil else { return false }
        let current = try await currentCredential()
        return current != nil && current == lastRefused
    }

    private func currentCredential() async throws(BackendClientError) -> DeviceCredential? {
        try await BackendClientError.asking(BackendClientError.credentialUnavailable) {
            try await Self.ask(credential)
        }
    }

    /// Off the actor, which a source that blocks its thread would hold up.
    @concurrent private static func ask(
        _ source: CredentialSource
    ) async throws -> DeviceCredential? {
        try await source()
    }
}

extension BackendClient: CustomStringConvertible, CustomReflectable {
    /// What it is, and nothing that it holds.
    public nonisolated var description: String { "BackendClient" }

    /// Nothing: a look into an actor at work, or into what carries its requests, could see credentials, and what changes
    /// meanwhile.
    public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Limits and texts of a client.
public struct BackendClientSettings: Sendable {
    /// The most bytes of an answer; a longer one is an error.
    public var longestAnswer = 20 << 20
    /// How long a request may take with all of its answer.
    public var timeout: Duration = .seconds(30)
    /// How long the fetching for one push may take, with all of its requests and the asking for the credential.
    ///
    /// iOS gives an app up to 30 s to be done with a push in the background (Apple, "Pushing background updates to your App"),
    /// and an app that takes longer is woken less often. 20 s leave time to show something.
    public var handlingTimeout: Duration = .seconds(20)
    /// How long the fetching for a placeholder may take in ``BackendClient/replacement(for:)``, with all of its tries.
    ///
    /// iOS gives a notification service extension about 30 s, and shows the placeholder then (Apple,
    /// "serviceExtensionTimeWillExpire()"). 25 s leave time to hand something over.
    public var replacingTimeout: Duration = .seconds(25)
    /// How long the first pause between two tries is; each further one is twice as long.
    var firstPause: Duration = .seconds(1)
    /// Waits; throws when the task is cancelled.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// What is shown when there is something, and nobody is signed in to fetch it.
    public var genericText = "You have a new message. Open the app to read it."

    /// The usual ones.
    public init() {}
}

extension DeviceResponse {
    /// The longest wait that a backend is believed, in seconds.
    private static let longestWait = 86_400

    /// What `Retry-After` says in seconds; nil when it says nothing, or a date.
    fileprivate var retryAfter: Duration? {
        guard let text = headers["retry-after"], let seconds = Int(text), seconds >= 0 else {
            return nil
        }
        return .seconds(min(seconds, Self.longestWait))
    }
}

extension BackendClientError {
    /// Whether the backend wants to be asked less often, as after sign-ins that failed: 429.
    fileprivate var isTooManyRequests: Bool {
        if case .status(429, _) = self { true } else { false }
    }
}
