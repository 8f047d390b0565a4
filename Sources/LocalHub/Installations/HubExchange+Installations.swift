import HTTPTypes
import Hummingbird

/// The service responds before a write takes effect; this hub responds afterwards, unless a delay
/// is configured.
extension HubExchange {
    /// Creates or replaces an installation: `PUT /{hub}/installations/{id}`.
    func putInstallation(id: String) throws(HubFailure) -> Response {
        let document = try InstallationDocument(body: request.body)
        let installation = try document.installation(id: id)
        try hub.update { state throws(HubFailure) in
            try take(installation, id: id, in: &state)
        }
        return done(.ok)
    }

    /// Reads an installation: `GET /{hub}/installations/{id}`.
    ///
    /// In recordings of the service, the body is JSON, but the content type is XML.
    func installation(id: String) throws(HubFailure) -> Response {
        response(.ok, body: try kept(id).json)
    }

    /// Applies all operations of a patch, or none if one fails: `PATCH /{hub}/installations/{id}`.
    func patchInstallation(id: String) throws(HubFailure) -> Response {
        let patch = try InstallationPatch(body: request.body)
        let now = environment.now()
        try hub.update { state throws(HubFailure) in
            guard let installation = state.upcomingInstallation(id: id, at: now) else {
                throw .installationNotFound
            }
            let patched = try patch.applied(to: InstallationDocument(installation))
            try take(try patched.installation(id: id), id: id, in: &state)
        }
        return done(.ok)
    }

    /// Deletes an installation, if it exists: `DELETE /{hub}/installations/{id}`.
    func deleteInstallation(id: String) throws(HubFailure) -> Response {
        try hub.update { state throws(HubFailure) in try take(nil, id: id, in: &state) }
        return done(.noContent)
    }

    /// An empty response; in recordings of the service, it has a content type.
    private func done(_ status: HTTPResponse.Status) -> Response {
        response(status, headers: ["Content-Type": RequestTracking.xmlType])
    }

    private func take(
        _ installation: Installation?, id: String, in state: inout HubState
    ) throws(HubFailure) {
        try state.take(
            installation, id: id, at: environment.now(),
            delay: environment.installationDelay / .seconds(1), random: environment.random)
    }

    private func kept(_ id: String) throws(HubFailure) -> Installation {
        let now = environment.now()
        guard let installation = hub.update({ $0.installation(id: id, at: now) }) else {
            throw .installationNotFound
        }
        return installation
    }
}
