extension BackendClient {
    /// Turns a push into what is to be shown: fetches what it names, once however often it comes.
    ///
    /// Without a credential, or with one that cannot be used or is refused, it is the generic text. A credential that was
    /// refused is not sent for a push again, until there is another one or one of the other calls succeeds with it: a
    /// backend takes repeated failures for guessing.
    ///
    /// Pushes of one id are one notification: what comes while the first is being fetched, or after this call returned it,
    /// shows nothing; ``forget(_:)`` undoes that where it could not be shown. A fetch that failed does not count, so that
    /// the next push of the id, or another call, tries again.
    ///
    /// - Parameter push: what came.
    /// - Returns: what is to be shown.
    /// - Throws: ``BackendClientError``, whose `isPassing` says whether to try again, and which is
    ///   ``BackendClientError/timedOut`` after ``BackendClientSettings/handlingTimeout``; or what a store or the source of
    ///   the credential throws.
    public func handle(_ push: DevicePush) async throws -> DeviceNotification {
        switch push {
        case .secure(let id):
            return try await once(id) { .secure(id: id, text: try await self.fetchText(id)) }
        case .rich(let id, let type, let message):
            return try await once(id) {
                .rich(try await self.rich(id, type: type, message: message))
            }
        case .alert(let text): return .alert(text)
        case .notOurs: return .nothing(.notOurs)
        }
    }

    /// Takes back that a notification was shown; call it when the system refused to show what ``handle(_:)`` returned.
    ///
    /// The next push of the id, or another call with the same one, fetches it again.
    ///
    /// - Parameter id: the notification.
    /// - Throws: what the store throws.
    public func forget(_ id: NotificationID) async throws {
        try await shown.remove(id)
    }

    private func once(
        _ id: NotificationID, _ fetch: @escaping @Sendable () async throws -> DeviceNotification
    ) async throws -> DeviceNotification {
        guard underWay.insert(id).inserted else { return .nothing(.shownBefore) }
        defer { underWay.remove(id) }
        guard try await !shown.contains(id) else { return .nothing(.shownBefore) }
        let generic = DeviceNotification.generic(id: id, text: settings.genericText)
        let notification: DeviceNotification
        do {
            notification = try await inTime {
                if try await self.isSignInRefused() { return generic }
                do {
                    return try await fetch()
                } catch let error as BackendClientError {
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
        try await shown.insert(id)
        return notification
    }

    /// Ends work that takes too long.
    private func inTime(
        _ work: @escaping @Sendable () async throws -> DeviceNotification
    ) async throws -> DeviceNotification {
        let limit = settings.handlingTimeout
        return try await withThrowingTaskGroup(of: DeviceNotification.self) { tasks in
            tasks.addTask { try await work() }
            tasks.addTask {
                try await Task.sleep(for: limit)
                throw BackendClientError.timedOut
            }
            defer { tasks.cancelAll() }
            guard let notification = try await tasks.next() else { throw CancellationError() }
            return notification
        }
    }

    private func rich(
        _ id: NotificationID, type: String?, message: String?
    ) async throws -> RichNotification {
        var (type, message) = (type, message)
        if message == nil {
            // It is too private for a push, or there is none.
            let metadata = try await fetchMetadata(id)
            message = metadata.message
            type = type ?? metadata.type
        }
        let content = try await fetch(id)
        return RichNotification(id: id, type: type, message: message, content: content)
    }
}

extension BackendClientError {
    /// Whether the backend wants to be asked less often, as after sign-ins that failed: 429.
    fileprivate var isTooManyRequests: Bool {
        if case .status(429, _) = self { true } else { false }
    }
}
