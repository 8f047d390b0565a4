import CampaignCore
import FoundationEssentials
import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// Passes a request through access control to its route, and audits the outcome.
struct BackendResponder: HTTPResponder {
    let environment: BackendEnvironment
    private let requests: ConcurrencyLimit
    /// Limits the requests that wait for the hub.
    private let hubRequests: ConcurrencyLimit
    private let budget: AnswerBudget
    private let trouble: StoreTrouble

    init(environment: BackendEnvironment) {
        self.environment = environment
        requests = ConcurrencyLimit(environment.limits.requests)
        hubRequests = ConcurrencyLimit(environment.limits.hubRequests)
        budget = AnswerBudget(limit: environment.limits.answerBytes)
        trouble = StoreTrouble(logger: environment.logger)
    }

    func respond(to request: Request, context: BackendContext) async -> Response {
        var response = await answer(request, context)
        environment.access.letPagesRead(&response.headers, of: request.head)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(_ request: Request, _ context: BackendContext) async -> Response {
        let target: RequestTarget
        let route: Route
        do {
            try RequestHost.check(request.head)
            target = try RequestTarget(request.head.path ?? "")
            route = try Route(request.method, target.segments)
        } catch {
            return refuse(request, error, peer: context.peer)
        }
        switch route {
        case .health: return Health.up
        case .readiness: return await environment.readiness.response()
        default: break
        }
        var entry = AuditEntry(
            time: environment.now(), user: nil, action: route.action(for: request, target.query),
            what: route.subject, address: context.peer?.description, outcome: "")
        do {
            let source = try environment.access.source(of: request.head, peer: context.peer)
            if source.address != context.peer { entry.address = source.address?.description }
            guard
                await requests.acquire(
                    within: TimeAmount(environment.limits.requestTimeout),
                    on: context.channel.eventLoop)
            else { throw BackendFailure.busy(after: .seconds(1)) }
            defer { requests.release() }
            // The client disconnected while the request was waiting.
            if Task.isCancelled { throw BackendFailure.busy(after: .seconds(1)) }
            let caller = try await environment.access.caller(of: request.head, from: source)
            entry.user = caller.username
            let exchange = BackendExchange(
                caller: caller, method: request.method, fields: request.headers,
                query: target.query, body: try await body(of: request), environment: environment)
            let reply = try await reply(to: route, exchange)
            trouble.end()
            let holder = AnswerBudget.Holder(
                user: caller.username, address: LimitedAddress(source.address))
            let outgoing = try await outgoing(reply, to: holder, for: request, entry)
            if let outgoing {
                context.channel.triggerUserOutboundEvent(outgoing, promise: nil)
            } else {
                environment.audit.note(entry.ended(reply))
            }
            return reply.response
        } catch {
            let failure = explain(error, &entry)
            entry.outcome = failure.outcome
            environment.audit.note(entry)
            return Response(failure)
        }
    }

    /// Answers a request without a route, which may be a preflight request.
    private func refuse(
        _ request: Request, _ failure: BackendFailure, peer: IPAddress?
    ) -> Response {
        do {
            if case .methodNotAllowed(let methods) = failure,
                let fields = try environment.access.preflight(
                    request.head, from: environment.access.source(of: request.head, peer: peer),
                    methods: methods)
            {
                var response = Response(empty: .noContent)
                for field in fields { response.headers.append(field) }
                return response
            }
        } catch {
            note(error.failure, of: request.head, peer: peer, error.reason)
            return Response(error.failure)
        }
        note(failure, of: request.head, peer: peer)
        return Response(failure)
    }

    /// Audits the refusal of a request without a route; its head may be unreadable.
    func note(
        _ failure: BackendFailure, of head: HTTPRequest? = nil, peer: IPAddress?,
        _ reason: String? = nil
    ) {
        var entry = AuditEntry(
            time: environment.now(), user: nil, action: .request, what: nil,
            address: peer?.description, outcome: failure.outcome, reason: reason ?? failure.reason)
        if let head {
            do {
                let source = try environment.access.source(of: head, peer: peer)
                entry.address = source.address?.description
            } catch {
                entry.reason = error.reason
            }
        }
        environment.audit.note(entry)
    }

    private func reply(to route: Route, _ exchange: BackendExchange) async throws -> BackendReply {
        guard route.callsHub else { return try await exchange.reply(to: route) }
        guard hubRequests.acquire() else { throw BackendFailure.busy(after: .seconds(1)) }
        defer { hubRequests.release() }
        return try await exchange.reply(to: route)
    }

    /// Follows a large response or a payload until it has been sent, for the audit and the receipt.
    ///
    /// - Returns: the event to send ahead of the response; nil if the response is audited
    ///   immediately.
    /// - Throws: ``AnswerBudgetError`` if its bytes exceed the budget,
    ///   ``BackendFailure/busy(after:)`` if there is no room for the receipt.
    private func outgoing(
        _ reply: BackendReply, to holder: AnswerBudget.Holder, for request: Request,
        _ entry: AuditEntry
    ) async throws -> OutgoingAnswer? {
        guard request.method != .head else { return nil }
        let byteCount = reply.response.body.contentLength ?? 0
        let permit =
            byteCount > AnswerBudget.largestSmall
            ? try budget.acquire(byteCount, for: holder) : nil
        let isPayload = entry.action == .fetch && reply.response.status == .ok
        guard permit != nil || isPayload else { return nil }
        let place = reply.receipt
        if let place { try await environment.receipts.reserve(place) }
        let (receipts, audit, ended) = (environment.receipts, environment.audit, entry.ended(reply))
        return OutgoingAnswer(holding: permit) { end in
            if let place { receipts.settle(place, isFetched: end == .whole) }
            var entry = ended
            if case .cutOff(let sent) = end {
                entry.outcome = "cut_off"
                entry.reason = "\(sent) of \(byteCount) bytes were sent"
            }
            audit.note(entry)
        }
    }

    private func body(of request: Request) async throws -> ByteBuffer {
        do {
            return try await request.body.collect(upTo: environment.limits.bodyBytes)
        } catch is NIOTooManyBytesError {
            throw BackendFailure.bodyTooLarge(limit: environment.limits.bodyBytes)
        }
    }

    /// Converts an error into the failure that the client gets; logs errors that only the operator
    /// can fix.
    private func explain(_ error: any Error, _ entry: inout AuditEntry) -> BackendFailure {
        switch error {
        case let failure as BackendFailure:
            entry.reason = failure.reason
            return failure
        case let refusal as AccessRefusal:
            entry.reason = refusal.reason
            entry.claimed = refusal.claimed
            return refusal.failure
        case let problem as AnswerBudgetError:
            entry.reason = problem.rawValue
            return .busy(after: .seconds(1))
        case let failure as RegistrarFailure:
            return explain(failure)
        default:
            trouble.begin(error)
            return .unavailable(after: .seconds(5))
        }
    }

    private func explain(_ failure: RegistrarFailure) -> BackendFailure {
        switch failure {
        case .gone:
            return .registrationGone
        case .refused(let reason):
            environment.logger.notice(
                "The hub refused a registration.", metadata: ["reason": "\(reason)"])
            return .registrationRefused
        case .busy(let delay):
            return .busy(after: delay ?? .seconds(5))
        case .unavailable(let reason):
            environment.logger.warning(
                "The hub could not be reached for a registration.",
                metadata: ["reason": "\(reason)"])
            return .unavailable(after: .seconds(5))
        case .misconfigured(let reason):
            environment.logger.error(
                "The hub refuses registrations from this server; correct the connection string.",
                metadata: ["reason": "\(reason)"])
            return .misconfigured
        }
    }
}

extension AuditEntry {
    fileprivate func ended(_ reply: BackendReply) -> AuditEntry {
        var entry = self
        entry.what = reply.what ?? what
        entry.outcome = reply.outcome
        return entry
    }
}

struct BackendContext: InitializableFromSource {
    let channel: any Channel
    /// The address of the peer; nil without a socket, as in tests.
    let peer: IPAddress?

    init(channel: any Channel) {
        self.channel = channel
        peer = IPAddress(of: channel)
    }

    init(source: ApplicationRequestContextSource) {
        self.init(channel: source.channel)
    }
}

/// Logs that requests are failing because of the store, once for each persistent error.
private final class StoreTrouble: Sendable {
    private let logger: Logger
    private let reported = Mutex<String?>(nil)

    init(logger: Logger) {
        self.logger = logger
    }

    func begin(_ error: any Error) {
        let text = "\(error)"
        let isNew = reported.withLock { reported in
            defer { reported = text }
            return reported != text
        }
        guard isNew else { return }
        logger.error(
            "Requests are failing because the store is failing.", metadata: ["error": "\(text)"])
    }

    /// A request succeeded, so the next error is logged again.
    func end() {
        reported.withLock { $0 = nil }
    }
}
