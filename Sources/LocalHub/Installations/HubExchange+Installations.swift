import Hummingbird

extension HubExchange {
    /// Creates or replaces an installation: `PUT /{hub}/installations/{id}`.
    func putInstallation(id: String) throws(HubFailure) -> Response {
        let installation = try InstallationDocument.installation(from: request.body, id: id)
        try hub.update { state throws(HubFailure) in
            try state.put(installation, random: environment.random)
        }
        return response(.ok)
    }
}
