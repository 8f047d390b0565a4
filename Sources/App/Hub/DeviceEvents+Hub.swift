import CampaignCore
import DeviceSimulation
import NIOSSL
import NotificationHubs

extension DeviceEvents {
    /// Finds the address; asks the hub for its name if no setting gives it.
    ///
    /// - Throws: `DeviceFault` for a hub that is distant, or not in a process of its own.
    init(of user: Username, at hub: HubChoice, as program: HubCaller) async throws {
        guard case .remote(let secret, let name, let route) = hub else {
            throw DeviceFault.hubWithinRun(setting: Secret.connectionString)
        }
        let connection = try await HubChoice.connection(
            secret, name: name, by: route, as: program)
        let endpoint = connection.connectionString.endpoint
        guard connection.isLoopback else {
            throw DeviceFault.hubElsewhere(
                endpoint.host, named: secret.setting, setting: Secret.connectionString)
        }
        self.init(
            of: user, on: connection.name.rawValue, at: "\(endpoint)",
            tls: try TLSConfiguration.hub(trusting: connection.trustRoots))
    }
}
