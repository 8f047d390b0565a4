import CampaignCore
import Foundation
import NotificationHubs

extension Doctor {
    /// A clock difference of more than this, in seconds, causes a warning, because pushes contain
    /// times.
    private static let slightSkew: TimeInterval = 30
    private static let credentials = "credentials"
    private static let keys = [credentials, "second key"]
    /// With a clock difference of more than this, in seconds, the hub may refuse tokens, which are
    /// valid for an hour.
    private static let graveSkew: TimeInterval = 300
    /// Servers send times in whole seconds, which are half a second behind on average.
    private static let rounding: TimeInterval = 0.5

    /// Checks credentials, clock and hub with one request that changes nothing.
    func hub(_ settings: EffectiveSettings) async -> [HealthCheck] {
        let choice: HubChoice
        do throws(Refused) {
            choice = try settings.requiredHub()
        } catch {
            return [failed("credentials", error)]
        }
        do {
            guard let connection = try await choice.externalConnection() else {
                return [
                    HealthCheck(
                        "hub", .ok,
                        "The config names a local hub (`hub.local`), which each command starts for itself."
                    )
                ]
            }
            let checks = try await inspect(connection.onlyFirst)
            guard let secondary = connection.onlySecondary else { return checks }
            // Both keys are for the same hub, so one check of the hub and the clock is enough.
            let other = try await inspect(secondary).filter { $0.check == Self.credentials }.map {
                HealthCheck("second key", $0.status, $0.message)
            }
            let all = checks + other
            guard all.contains(where: { Self.keys.contains($0.check) && $0.status == .ok }) else {
                return all
            }
            // One working key is enough for a run.
            return all.map {
                Self.keys.contains($0.check) && $0.status == .fail
                    ? HealthCheck($0.check, .warn, "\($0.message) The other key works.") : $0
            }
        } catch {
            return [failed("credentials", error)]
        }
    }

    private func inspect(_ connection: HubConnection) async throws -> [HealthCheck] {
        let (before, inspection, after) = try await connection.withClient(
            concurrency: 1, logger: logger
        ) { client in
            let before = now()
            let inspection = await client.inspect()
            return (before, inspection, now())
        }
        let checks = Self.checks(
            of: inspection,
            hub: "\(connection.name.rawValue) at \(connection.connectionString.endpoint)",
            setting: connection.setting)
        guard let date = inspection.date else {
            return checks + [
                HealthCheck(
                    "clock", .warn,
                    "The hub's response has no date. Compare this machine's clock with another clock."
                )
            ]
        }
        let middle = before.addingTimeInterval(after.timeIntervalSince(before) / 2)
        let skew = middle.timeIntervalSince(date.addingTimeInterval(Self.rounding))
        return checks + [Self.clock(skew)]
    }

    private static func checks(
        of inspection: HubInspection, hub: String, setting: String
    ) -> [HealthCheck] {
        let isThere = HealthCheck("hub", .ok, "\(hub) answers.")
        guard let error = inspection.error, !inspection.maySend else {
            return [
                HealthCheck("credentials", .ok, "The hub accepts the key from \(setting)."),
                isThere,
            ]
        }
        switch (error.status, error.disposition) {
        case (403, .stop(.credentials)):
            return [
                HealthCheck(
                    "credentials", .warn,
                    "The hub accepts the key from \(setting), but does not say whether the key can be used to send. Check that its access rule includes the right to send."
                ), isThere,
            ]
        case (_, .stop(.credentials)):
            return [
                HealthCheck(
                    "credentials", .fail, "The hub refused the key from \(setting). \(error)"),
                isThere,
            ]
        case (_, .stop(.hubNotFound)), (_, .stop(.notAHub)):
            return [unchecked(setting), HealthCheck("hub", .fail, "\(hub): \(error)")]
        case (nil, _):
            return [unchecked(setting), HealthCheck("hub", .fail, "\(hub): \(error)")]
        default:
            return [unchecked(setting), HealthCheck("hub", .warn, "\(hub): \(error)")]
        }
    }

    private static func unchecked(_ setting: String) -> HealthCheck {
        HealthCheck(
            "credentials", .warn,
            "The key from \(setting) could not be checked with the hub.")
    }

    private static func clock(_ skew: TimeInterval) -> HealthCheck {
        let (off, way) = (abs(skew), skew > 0 ? "ahead of" : "behind")
        guard off > slightSkew else {
            return HealthCheck("clock", .ok, "This machine's clock agrees with the hub's.")
        }
        return HealthCheck(
            "clock", off > graveSkew ? .fail : .warn,
            "This machine's clock is \(Durations.text(seconds: off.rounded())) \(way) the hub's. Set it, and keep it synchronised, for example with systemd-timesyncd or chrony."
        )
    }
}
