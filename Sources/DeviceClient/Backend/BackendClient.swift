public import Foundation

/// A client for the app backend, which registers the device and turns pushes into notifications.
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
/// The credential is sent only to this origin. It is never sent across a redirect, and it is sent
/// over plain http only to the device itself. Use one client for the whole app.
public actor BackendClient {
    /// Returns the credential for the next request; nil if no user is signed in.
    ///
    /// An error that it throws is reported as ``BackendClientError/credentialUnavailable(_:)``.
    public typealias CredentialSource = @Sendable () async throws -> DeviceCredential?

    private let registration: any RegistrationIDStore
    private let shown: any ShownNotificationStore
    private let settings: BackendClientSettings
    /// The notifications that are being fetched for a push.
    private var underWay: Set<NotificationID> = []
    /// The fetched notifications that are being added to the store.
    private var shownNow: Set<NotificationID> = []
    /// The credential that the backend refused last, unless the backend has accepted it since then.
    private var lastRefused: DeviceCredential?
    private let origin: BackendOrigin
    private let transport: any DeviceTransport
    private let credential: CredentialSource

    /// Creates a client, without connecting yet.
    ///
    /// - Parameters:
    ///   - origin: the origin of the backend, such as `https://push.example`; plain http is
    ///     allowed only for `localhost`, `127.0.0.1` and `::1`.
    ///   - transport: usually a `URLSessionTransport` of `DeviceURLSession`.
    ///   - credential: called for each request, so that a renewed token is used immediately.
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

    /// Sends a request with the credential; throws an error unless the status means success.
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

    func keptRegistrationID() async throws(BackendClientError) -> String? {
        try await BackendClientError.asking(BackendClientError.storeUnavailable) {
            try await registration.registrationID()
        }
    }

    /// Stores a registration id; nil means that the device is not registered.
    func keepRegistrationID(_ id: String?) async throws(BackendClientError) {
        try await BackendClientError.asking(BackendClientError.storeUnavailable) {
            try await registration.keep(id)
        }
    }

    /// Turns a push into a notification to show: fetches its content once, even if the push arrives
    /// repeatedly.
    ///
    /// Without a valid credential, the result is the push's placeholder or the generic text. After
    /// the backend has refused a credential, the client does not use it for pushes until it changes
    /// or another call succeeds with it, because backends treat repeated failures as guessing.
    ///
    /// Pushes with the same id are one notification: if a push is repeated during or after the
    /// fetch, nothing is shown. Call ``forget(_:)`` if the notification could not be shown. If a
    /// fetch fails, the next push with the id, or another call, tries again.
    ///
    /// - Throws: ``BackendClientError``: Try again if `isPassing` is true. The error is
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

    /// Fetches the notification that replaces a push's placeholder, within a time limit.
    ///
    /// It is designed for an iOS notification service extension: it never throws an error, retries
    /// temporary failures, and returns within ``BackendClientSettings/replacingTimeout``, with
    /// either a notification or the reason why the placeholder is not replaced. As in
    /// ``handle(_:)``, a refused credential is not sent again.
    ///
    /// The system also shows repeated pushes, so their content is also fetched.
    /// ``PlaceholderReplacement/notification(_:isRepeat:)`` marks a repeat, so that the app can
    /// remove the first notification.
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

    /// Forgets that a notification was shown; call this if the system refused to show it.
    ///
    /// The next push with the id, or another call with the same push, fetches the notification
    /// again.
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
                    // If pushes arrive together, all requests may have been sent before the first
                    // refusal.
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
        // This ignores the deadline, because a notification that is stored as shown must be
        // returned.
        return try await markShown(id) ? .nothing(.shownBefore) : notification
    }

    /// Runs work outside the actor, and returns in time even if the work ignores cancellation.
    private func inTime<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws(BackendClientError) -> Value
    ) async throws(BackendClientError) -> Value {
        let (ends, first) = AsyncStream.makeStream(
            of: Result<Value, BackendClientError>.self, bufferingPolicy: .bufferingOldest(1))
        // A task group would wait for all of its tasks.
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
                // The work finished first, or the caller was cancelled.
            }
        }
        defer {
            working.cancel()
            waiting.cancel()
        }
        let end = await ends.first { _ in true } ?? .failure(.cancelled)
        return try end.get()
    }

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

    /// Fetches a push's notification, and retries temporary failures until the time limit.
    private func fetched(
        _ push: DevicePush, until end: ContinuousClock.Instant
    ) async throws(BackendClientError) -> DeviceNotification {
        var pause = settings.firstPause
        while true {
            if try await isSignInRefused() { throw .credentialRefused }
            do throws(BackendClientError) {
                return try await fetched(push)
            } catch {
                // If `Retry-After` is missing or zero, the usual pause applies.
                let wait = max(error.retryAfter ?? pause, pause)
                // A retry that cannot succeed in time would only delay the placeholder.
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

    /// Marks a notification as shown; returns whether it was shown before, or nil if the store does
    /// not respond in time.
    ///
    /// A failing store must not prevent the text from being shown.
    private func isRepeat(_ id: NotificationID, until end: ContinuousClock.Instant) async -> Bool? {
        do throws(BackendClientError) {
            return try await inTime(end - .now) { () async throws(BackendClientError) in
                try await self.markShown(id)
            }
        } catch {
            return nil
        }
    }

    /// Marks a fetched notification as shown; returns whether it was shown before.
    ///
    /// If several calls run concurrently, only the call whose text arrived first is treated as the
    /// first, even if the store has not responded yet.
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
            // The message is too private for a push, or there is no message.
            let metadata = try await fetchMetadata(id)
            message = metadata.message
            type = type ?? metadata.type
            if metadata.extras != .none { extras = metadata.extras }
        }
        let content = try await fetch(id)
        return RichNotification(
            id: id, type: type, message: message, extras: extras, content: content)
    }

    /// Whether the credential is still the one that the backend refused.
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

    /// This runs outside the actor, because a credential source that blocks its thread would block
    /// the actor.
    @concurrent private static func ask(
        _ source: CredentialSource
    ) async throws -> DeviceCredential? {
        try await source()
    }
}

extension BackendClient: CustomStringConvertible, CustomReflectable {
    /// Only the name of the type.
    public nonisolated var description: String { "BackendClient" }

    /// A mirror without children, because reflection into a running actor or its transport could
    /// reveal credentials.
    public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The limits and texts of a client.
public struct BackendClientSettings: Sendable {
    /// The maximum size of a response in bytes; a larger response is an error.
    public var longestAnswer = 20 << 20
    /// The timeout for a request, including the response.
    public var timeout: Duration = .seconds(30)
    /// The timeout for all requests for one push, including the request for the credential.
    ///
    /// iOS gives an app up to 30 s for a background push (Apple, "Pushing background updates to
    /// your App") and wakes slower apps less often. A timeout of 20 s leaves time to show
    /// something.
    public var handlingTimeout: Duration = .seconds(20)
    /// The timeout for all attempts of ``BackendClient/replacement(for:)``.
    ///
    /// iOS gives a notification service extension about 30 s, then shows the placeholder (Apple,
    /// "serviceExtensionTimeWillExpire()"). A timeout of 25 s leaves time to show the notification.
    public var replacingTimeout: Duration = .seconds(25)
    /// The pause before the first retry; it doubles each time.
    var firstPause: Duration = .seconds(1)
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// The text to show if there is a notification but no user is signed in to fetch it.
    public var genericText = "You have a new message. Open the app to read it."

    /// Creates settings with the default values.
    public init() {}
}

extension DeviceResponse {
    /// The longest wait that the client accepts from a backend, in seconds.
    private static let longestWait = 86_400

    /// The value of `Retry-After` in seconds; nil if it is missing or a date.
    fileprivate var retryAfter: Duration? {
        guard let text = headers["retry-after"], let seconds = Int(text), seconds >= 0 else {
            return nil
        }
        return .seconds(min(seconds, Self.longestWait))
    }
}

extension BackendClientError {
    /// Whether the status is 429: the backend is limiting requests, for example after failed
    /// sign-ins.
    fileprivate var isTooManyRequests: Bool {
        if case .status(429, _) = self { true } else { false }
    }
}
