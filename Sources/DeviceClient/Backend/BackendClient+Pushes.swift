extension BackendClient {
    /// Turns a push into what is to be shown: fetches what it names, once however often it comes.
    ///
    /// Without a credential, or with one that is refused, it is the generic text. Pushes of one id are one notification: what
    /// comes while the first is being fetched, or after it was shown, shows nothing. A fetch that failed does not count, so
    /// that the next push of the id, or another call, tries again.
    ///
    /// - Parameter push: what came.
    /// - Returns: what is to be shown.
    /// - Throws: ``BackendClientError``, whose `isPassing` says whether to try again; or what a store or the source of the
    ///   credential throws.
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

    private func once(
        _ id: NotificationID, _ fetch: () async throws -> DeviceNotification
    ) async throws -> DeviceNotification {
        guard underWay.insert(id).inserted else { return .nothing(.shownBefore) }
        defer { underWay.remove(id) }
        guard try await !shown.contains(id) else { return .nothing(.shownBefore) }
        let notification: DeviceNotification
        do {
            notification = try await fetch()
        } catch BackendClientError.gone {
            return .nothing(.gone)
        } catch BackendClientError.noCredential, BackendClientError.credentialRefused,
            BackendClientError.forbidden
        {
            notification = .generic(id: id, text: settings.genericText)
        }
        try await shown.insert(id)
        return notification
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
