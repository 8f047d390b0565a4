public import Foundation

/// A device's side of the app backend: it registers the device, and turns pushes into what is to be shown.
///
/// ```swift
/// let folder = URL.applicationSupportDirectory
/// let client = try BackendClient(
///     origin: URL(string: "https://push.example")!,
///     registration: FileRegistrationIDStore(file: folder.appending(path: "registration")),
///     shown: FileShownNotificationStore(file: folder.appending(path: "shown"))
/// ) {
///     Keychain.token.map(DeviceCredential.token)
/// }
/// ```
///
/// The credential goes to this origin and nowhere else: never over plain http but to the device itself, never across a
/// redirect. One client serves a whole app.
public actor BackendClient {
    /// Gives the credential for the next request; nil when nobody is signed in.
    public typealias CredentialSource = @Sendable () async throws -> DeviceCredential?

    let registration: any RegistrationIDStore
    let shown: any ShownNotificationStore
    let settings: BackendClientSettings
    /// Notifications that are being fetched for a push.
    var underWay: Set<NotificationID> = []
    /// The credential that the backend refused last, unless it has taken it since.
    private(set) var lastRefused: DeviceCredential?
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
    ) throws {
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
    /// - Throws: ``BackendClientError`` for everything else, or what the source of the credential throws.
    func send(
        _ method: String, _ path: [String], _ query: KeyValuePairs<String, String> = [:],
        body: Data? = nil
    ) async throws -> DeviceResponse {
        let url = try origin.url(path, query)
        guard let credential = try await credential() else { throw BackendClientError.noCredential }
        var headers = ["Authorization": try credential.authorization()]
        if body != nil { headers["Content-Type"] = "application/json;charset=utf-8" }
        let response = try await transport.send(
            DeviceRequest(
                method: method, url: url, headers: headers, body: body,
                answerLimit: settings.longestAnswer, timeout: settings.timeout))
        guard response.body.count <= settings.longestAnswer else {
            throw BackendClientError.answerTooLong(limit: settings.longestAnswer)
        }
        switch response.status {
        case 200..<300:
            if lastRefused == credential { lastRefused = nil }
            return response
        case 300..<400: throw BackendClientError.redirected(status: response.status)
        case 401:
            lastRefused = credential
            throw BackendClientError.credentialRefused
        case 403: throw BackendClientError.forbidden
        default:
            throw BackendClientError.status(response.status, retryAfter: response.retryAfter)
        }
    }

    /// Whether there is still no other credential than the one that the backend refused.
    ///
    /// - Throws: what the source of the credential throws.
    func isSignInRefused() async throws -> Bool {
        guard lastRefused != nil else { return false }
        let current = try await credential()
        return current != nil && current == lastRefused
    }
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
