import CampaignCore
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOSSL
import SQLiteDriver
import ServiceLifecycle
import Storage
import TestServing
import TestSupport
import Testing

@testable import AppBackend

/// A backend with a real store and audit file, and with a scripted hub and sign-in.
struct BackendUnderTest: Sendable {
    static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    let folder: TemporaryFolder
    let store: any Storage.Store
    let hub: MemoryHub
    let sender: ScriptedSender
    let time: AdjustableTime
    let audit: AuditLog
    let environment: BackendEnvironment
    let server: BackendServer
    private(set) var client: (any TestClient)?

    /// The settings that a test may change before the backend is created.
    struct Setup {
        /// Without a socket, no client is considered local, and https is required.
        var hasSocket = false
        var limits = BackendLimits()
        var allowedTags: [String] = ["news", "city:*"]
        var senders: [Username] = [.sam]
        var signIn: any SignIn = ScriptedSignIn()
        var challenges = ["Basic realm=\"hubsend\""]
        var scheme = WebScheme.https
        var proxies: [AddressRange] = []
        var origins: Set<String> = []
        var tls: TLSConfiguration?
        var fileProblem: @Sendable () -> String? = { nil }
        var logger = BackendUnderTest.quiet
        var auditClock: any Clock<Duration> = ContinuousClock()
        /// An existing store; nil creates a new one.
        var storePath: String?
        /// A store that is not in a file.
        var store: (any Storage.Store)?
        var hub = MemoryHub()

        init() {
            // Long enough for a clean shutdown on a busy machine.
            limits.shutdownGrace = .seconds(120)
            limits.stallTimeout = .seconds(120)
        }

        /// Uses an unencrypted socket on loopback.
        mutating func useSocket() {
            hasSocket = true
            scheme = .http
        }
    }

    /// Runs a test against a backend that also writes receipts; it has a socket if the setup says
    /// so.
    static func run<Value: Sendable>(
        _ change: (inout Setup) throws -> Void = { _ in },
        _ test: @escaping @Sendable (BackendUnderTest) async throws -> Value
    ) async throws -> Value {
        var setup = Setup()
        try change(&setup)
        if setup.hasSocket {
            return try await listen(setup) { backend, _ in try await test(backend) }
        }
        let backend = try BackendUnderTest(setup)
        return try await withServices(backend.server.writers, logger: quiet) {
            try await test(backend)
        }
    }

    /// Runs a test against a listening backend that the test may stop.
    static func listen<Value: Sendable>(
        _ change: (inout Setup) throws -> Void = { _ in },
        _ test: @escaping @Sendable (BackendUnderTest, RunningBackend) async throws -> Value
    ) async throws -> Value {
        var setup = Setup()
        setup.useSocket()
        try change(&setup)
        return try await listen(setup, test)
    }

    private static func listen<Value: Sendable>(
        _ setup: Setup,
        _ test: @escaping @Sendable (BackendUnderTest, RunningBackend) async throws -> Value
    ) async throws -> Value {
        let (addresses, ready) = AsyncStream.makeStream(of: String.self)
        let (end, ended) = AsyncStream.makeStream(of: Never.self)
        var backend = try make(setup) { url in ready.yield(url) }
        let group = ServiceGroup(services: [backend.server], logger: quiet)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer {
                    ready.finish()
                    ended.finish()
                }
                try await group.run()
            }
            do {
                let url = try #require(await addresses.first { _ in true })
                let port = try #require(url.split(separator: ":").last.flatMap { Int($0) })
                backend.client = SocketClient(port: port)
                let value = try await test(
                    backend, RunningBackend(port: port, group: group, end: end))
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
                return value
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
        }
    }

    private static func make(
        _ setup: Setup, onReady: @escaping @Sendable (String) async -> Void = { _ in }
    ) throws -> BackendUnderTest {
        let folder = try TemporaryFolder()
        let time = AdjustableTime()
        let store =
            try setup.store
            ?? SQLiteStore.open(at: setup.storePath ?? folder.file("store.sqlite"))
        let audit = try AuditLog(
            path: folder.file("audit.jsonl"), clock: setup.auditClock, now: time.now,
            logger: setup.logger)
        let sender = ScriptedSender()
        let environment = try environment(
            setup, store: store, hub: setup.hub, sender: sender, audit: audit, time: time)
        let server = BackendServer(
            address: BackendAddress(host: "127.0.0.1", port: 0), tls: setup.tls,
            environment: environment, onReady: onReady)
        return BackendUnderTest(
            folder: folder, store: store, hub: setup.hub, sender: sender, time: time,
            audit: audit, environment: environment, server: server)
    }

    static func environment(
        _ setup: Setup, store: any BackendEnvironment.Store, hub: MemoryHub,
        sender: ScriptedSender, audit: AuditLog, time: AdjustableTime
    ) throws -> BackendEnvironment {
        let receipts = ReceiptWriter(
            store: store, limits: setup.limits, clock: ContinuousClock(), now: time.now,
            logger: setup.logger)
        return BackendEnvironment(
            access: AccessControl(
                signIn: setup.signIn, challenges: setup.challenges,
                scheme: setup.scheme, proxies: setup.proxies, origins: setup.origins),
            store: store, registrar: hub, sender: sender,
            hub: HubIdentity(host: "local", name: "hub"),
            allowedTags: try setup.allowedTags.map { try TagPattern($0) },
            senders: Set(setup.senders), limits: setup.limits,
            receipts: receipts, audit: audit,
            readiness: Readiness(
                store: store, receipts: receipts, audit: audit, fileProblem: setup.fileProblem,
                now: time.now, logger: setup.logger),
            now: time.now, random: SeededGenerator(seed: 7), logger: setup.logger)
    }

    // MARK: Requests

    /// - Parameter user: nil sends no credentials.
    func request(
        _ method: HTTPRequest.Method, _ uri: String, as user: Username? = nil,
        headers: [String: String] = [:], body: String? = nil
    ) async throws -> TestResponse {
        try await request(
            method, uri, authorization: user.map { "Test \($0)" }, headers: headers, body: body)
    }

    /// - Parameter authorization: the header as sent; nil sends no header.
    func request(
        _ method: HTTPRequest.Method, _ uri: String, authorization: String?,
        headers: [String: String] = [:], body: String? = nil
    ) async throws -> TestResponse {
        var fields: HTTPFields = [:]
        fields[.authorization] = authorization
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return try await #require(client).execute(
            uri: uri, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) })
    }

    // MARK: Stored data

    /// Stores a notification as if a run had sent it.
    func notify(
        _ recipients: [Username], kind: CampaignKind = .secure, type: String? = nil,
        message: String? = nil, title: String? = nil, link: String? = nil,
        data: [String: String] = [:],
        content: StoredContent = .text("the secret", mediaType: "text/plain; charset=utf-8")
    ) async throws -> NotificationID {
        var generator = SystemRandomNumberGenerator()
        let start = time.now()
        let run = RunRecord(
            id: .make(startingAt: start, using: &generator),
            campaign: "c-\(UInt32.random(in: 0 ... .max))",
            hub: environment.hub, occurrence: .once, isRehearsal: false, state: .staging,
            kind: kind,
            platforms: [.apns], isMessagePrivate: true, campaignPath: "/c.yaml",
            delivery: DeliveryPolicy(), fingerprints: [:], started: start,
            expires: start.addingTimeInterval(3_600))
        let notification = NewNotification(
            id: .random(using: &generator), type: type,
            texts: Texts(title: title, message: message), link: link, data: data, content: content)
        try await store.begin(run)
        try await store.store(notification, of: run.id)
        let sorted = recipients.sorted()
        try await store.append(sorted.map { StagedRecipient(username: $0) }, to: run.id)
        try await store.finishStaging(
            run.id, counts: AudienceCounts(named: sorted.count, final: sorted.count))
        _ = try await store.claimNext(
            run.id, platform: .apns, limit: sorted.count, cap: nil, at: start)
        return notification.id
    }

    func received(_ id: NotificationID, _ user: Username) async throws -> ReceivedNotification? {
        try await store.notification(id, for: user)
    }

    func auditLines() throws -> [String] {
        try audit.flush()
        return try String(contentsOfFile: folder.file("audit.jsonl"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }
}

extension BackendUnderTest {
    /// A backend without a socket; it writes no receipts.
    init(_ change: (inout Setup) throws -> Void = { _ in }) throws {
        var setup = Setup()
        try change(&setup)
        try self.init(setup)
    }

    private init(_ setup: Setup) throws {
        self = try Self.make(setup)
        client = RouterClient(try server.application().responder, logger: Self.quiet)
    }
}

extension Username {
    static let alice = Username(checked: "alice")
    static let bob = Username(checked: "bob")
    static let carol = Username(checked: "carol")
    static let dora = Username(checked: "dora")
    /// A user who is allowed to send.
    static let sam = Username(checked: "sam")
}

extension TestResponse {
    func json() throws -> [String: any Sendable] {
        try JSONSerialization.jsonObject(with: Data(body.readableBytesView))
            as? [String: any Sendable] ?? [:]
    }
}
