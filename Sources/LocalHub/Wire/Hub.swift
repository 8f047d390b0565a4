import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird

/// The namespace as clients see it; it answers complete requests, independently of sockets.
struct Hub: Sendable {
    /// The configured hub.
    let store: HubStore

    let environment: HubEnvironment

    /// Adds the configured hub and devices to a new or restored namespace; throws a 403 if there
    /// are too many devices.
    init(
        _ configuration: LocalHubConfiguration, namespace: HubNamespace? = nil
    ) throws(HubFailure) {
        let namespace =
            namespace
            ?? HubNamespace(rules: configuration.rules, limits: configuration.limits)
        environment = HubEnvironment(
            namespace: namespace, limits: configuration.limits,
            fault: configuration.fault,
            faults: FaultEngine(
                rules: configuration.faults, seed: configuration.seed, start: configuration.now()),
            readFaults: configuration.readFaults, payloads: configuration.payloads,
            hasPublishedKeys: configuration.usesDevelopmentKeys,
            access: InspectionAccess(
                listeningOn: configuration.host, allowedHosts: configuration.allowedHosts),
            streams: ConcurrencyLimit(configuration.limits.eventStreams),
            telemetryDelay: configuration.telemetryDelay,
            installationDelay: configuration.installationDelay,
            sleep: configuration.sleep,
            sleepUntil: configuration.sleepUntil ?? {
                [sleep = configuration.sleep, now = configuration.now] in
                try await sleep(.seconds(max($0.timeIntervalSince(now()), 0)))
            },
            now: configuration.now, random: configuration.random)
        if let known = namespace.hub(named: configuration.hubName) {
            store = known
        } else {
            store = try namespace.createHub(
                named: configuration.hubName,
                description: HubDescription(created: configuration.now()))
        }
        var numbers: [LocalHubDevice: Int] = [:]
        for device in configuration.devices {
            var kind = device
            kind.handle = nil
            let installation = device.installation(number: numbers[kind, default: 0])
            numbers[kind, default: 0] += 1
            try store.update { state throws(HubFailure) in
                guard state.installations[installation.id] != installation else { return }
                try state.put(
                    installation, at: configuration.now(), random: configuration.random)
            }
        }
    }

    func answer(_ head: HTTPRequest, body: [UInt8], isPeerLocal: Bool) -> HubAnswer {
        let headers = HubRequest.headers(of: head.headerFields)
        let tracking = RequestTracking(headers: headers, random: environment.random)
        environment.settleInstallations()
        do {
            let request = try HubRequest(
                head: head, headers: headers, body: body, isPeerLocal: isPeerLocal)
            if request.target.segments.isEmpty, !PublicListing.isAsked(for: request) {
                return .response(try show(request))
            }
            guard InspectionPath.contains(request.target.segments) else {
                return try perform(request, tracking)
            }
            let answer = try inspect(request)
            guard case .response(let response) = answer else { return answer }
            return .response(InspectionFields.sealed(response))
        } catch {
            return .response(refusal(error, to: head, tracking))
        }
    }

    /// The error for a request with a body of this size; nil if the size is allowed.
    ///
    /// A batch can be larger than other bodies. Its host and key are checked first, so that only
    /// authorised clients can use that much memory.
    func fault(inBodyOf head: HTTPRequest, bytes: Int) -> HubFailure? {
        guard bytes > environment.limits.bodyBytes else { return nil }
        do throws(HubFailure) {
            let limit = try largeBodyLimit(of: head)
            return bytes > limit ? .bodyTooLarge(limit: limit) : nil
        } catch {
            return error
        }
    }

    private func largeBodyLimit(of head: HTTPRequest) throws(HubFailure) -> Int {
        let request = try HubRequest(
            head: head, headers: HubRequest.headers(of: head.headerFields), body: [],
            isPeerLocal: false)
        let path = request.target.segments
        guard path.count == 3, path[1].lowercased() == "messages",
            path[2].lowercased() == "$batch"
        else { return environment.limits.bodyBytes }
        try authorizeHost(request)
        guard environment.namespace.hub(named: path[0]) != nil else { throw .unknownHub }
        try authorize(request, for: .batchSend)
        return environment.limits.batchBytes
    }

    /// The response to a request that is refused before it has been read completely.
    func refusal(_ failure: HubFailure, to head: HTTPRequest) -> Response {
        let headers = HubRequest.headers(of: head.headerFields)
        return refusal(
            failure, to: head, RequestTracking(headers: headers, random: environment.random))
    }

    /// The response to a request whose head is too large; its body is not read.
    func refusal(ofLargeHead head: HTTPRequest) -> Response {
        let limits = environment.limits
        return refusal(
            .badRequest(
                "The request has more than \(limits.headers) headers, or its headers have more "
                    + "than \(limits.headerBytes) bytes."), to: head)
    }

    private func refusal(
        _ failure: HubFailure, to head: HTTPRequest, _ tracking: RequestTracking
    ) -> Response {
        switch RefusalForm(of: head.path, isSigned: head.headerFields[.authorization] != nil) {
        case .document: failure.response(tracking, at: environment.now())
        case let form: failure.response(as: form)
        }
    }

    private func show(_ request: HubRequest) throws(HubFailure) -> Response {
        try environment.access.authorizeHost(request)
        let page = try InboxPage.embedded.response(to: request)
        try environment.access.authorizeRead(request)
        return page
    }

    /// Checks the host, origin and token of a change below `/.hubsend`.
    func authorizeChange(_ request: HubRequest) throws(HubFailure) {
        try environment.access.authorizeChange(request)
    }

    private func inspect(_ request: HubRequest) throws(HubFailure) -> HubAnswer {
        try environment.access.authorizeHost(request)
        // This is checked here for all paths, so that no path can be forgotten.
        if request.method == .get || request.method == .head {
            try environment.access.authorizeRead(request)
        } else {
            try authorizeChange(request)
        }
        switch request.target.segments.dropFirst().first?.lowercased() {
        case FeedbackPage.segment:
            return .response(
                try FeedbackPage(namespace: environment.namespace).response(to: request))
        case FaultSettings.segment:
            return .response(
                try FaultSettings(environment: environment).response(to: request))
        case ChangeToken.segment where request.target.segments.count == 2:
            return .response(try environment.access.token.response(to: request))
        default:
            return try Inspection(hubName: store.name, environment: environment)
                .answer(to: request)
        }
    }

    private func perform(
        _ request: HubRequest, _ tracking: RequestTracking
    ) throws(HubFailure) -> HubAnswer {
        try authorizeHost(request)
        let name = request.target.segments.first ?? ""
        let operation: HubOperation
        if let listing = try EntityOperation(listing: request) {
            operation = .entity(listing)
        } else {
            do {
                operation = try HubOperation(
                    method: request.method, path: request.target.segments.dropFirst(),
                    query: request.target.query)
            } catch {
                // Clients without a key can find out that a path or hub does not exist, because
                // that is not a secret.
                throw environment.namespace.hub(named: name) == nil ? .unknownHub : error
            }
        }
        if case .entity = operation {
            try authorize(request, for: operation)
        } else {
            guard environment.namespace.hub(named: name) != nil else { throw .unknownHub }
            try authorize(request, for: operation)
        }
        let platform = request.headers["servicebusnotification-format"]
            .flatMap(LocalHubPlatform.init(format:))
        let decision = environment.faults.decide(operation, on: platform, at: environment.now())
        return try decision.applied(tracking, at: environment.now()) { () throws(HubFailure) in
            try perform(operation, on: name, request, tracking)
        }
    }

    private func perform(
        _ operation: HubOperation, on name: String, _ request: HubRequest,
        _ tracking: RequestTracking
    ) throws(HubFailure) -> HubAnswer {
        if case .entity(let entity) = operation {
            let exchange = EntityExchange(
                request: request, tracking: tracking, name: name, environment: environment)
            return .response(try exchange.answer(entity))
        }
        guard let hub = environment.namespace.hub(named: name) else { throw .unknownHub }
        return try HubExchange(
            request: request, tracking: tracking, hub: hub, environment: environment
        ).answer(operation)
    }

    /// If a key is published, a page of another site can sign requests too; only the host reveals
    /// such a request.
    private func authorizeHost(_ request: HubRequest) throws(HubFailure) {
        guard environment.hasPublishedKeys else { return }
        try environment.access.authorizeHost(request, hasKey: true)
    }

    private func authorize(
        _ request: HubRequest, for operation: HubOperation
    ) throws(HubFailure) {
        let rule: LocalHubRule
        do {
            rule = try environment.namespace.rule(provenBy: request, now: environment.now())
        } catch {
            throw .unauthorized(error)
        }
        guard rule.grants(operation.claim) else { throw .missingClaim }
    }
}
