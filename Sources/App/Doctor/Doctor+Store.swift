import CampaignCore
import CampaignFormat
import Files
import Foundation
import NotificationHubs
import PostgreSQLDriver
import Storage

extension Doctor {
    /// With fewer bytes free, a run of a large audience may not fit.
    private static let littleRoom = 1 << 30
    /// How far a server's clock may differ from this host's.
    private static let mostSkew = Duration.seconds(5)
    /// With fewer bytes free, hardly any run fits.
    private static let noRoom = 100 << 20

    // MARK: The store

    func store(_ settings: EffectiveSettings) async -> [HealthCheck] {
        var options = StoreOptions()
        var key: HealthCheck?
        do {
            options = try await settings.storeOptions()
        } catch {
            key = failed("payload key", error)
        }
        var checks: [HealthCheck] = []
        do {
            let store = try await settings.store.openForReading(
                options, isBroughtUpToDate: false)
            checks += await look(at: store, of: settings)
            if key == nil { key = await payloadKey(of: store, settings) }
            try store.close()
        } catch StoreError.notFound {
            checks.append(await missingStore(settings))
        } catch StoreError.olderVersion {
            checks.append(
                HealthCheck(
                    "store", .warn,
                    "\(settings.store) was made by an older version; the next command that uses it brings it up to date."
                ))
        } catch {
            checks = [failed("store", error)]
        }
        return checks + [containerCheck(settings)].compactMap(\.self) + [disk(settings)]
            + [key].compactMap(\.self)
    }

    /// A warning about a store that ends with its container; nil: the store is elsewhere.
    private func containerCheck(_ settings: EffectiveSettings) -> HealthCheck? {
        guard let path = settings.store.file else { return nil }
        do throws(SystemFault) {
            let folder = try Folder.nearest(Path.folder(of: path))
            guard try Container.holds(folder) else { return nil }
        } catch {
            return nil
        }
        return HealthCheck(
            "store place", .warn,
            """
            \(VisibleText.path(path)) is on the container's own file system and is lost with the container. Then nobody \
            knows who was sent to, and schedules count anew. Keep the store on a volume, or on a PostgreSQL server.
            """)
    }

    private func look(at store: any Store, of settings: EffectiveSettings) async -> [HealthCheck] {
        do {
            try await store.checkPages()
            if let server = store as? PostgreSQLStore {
                return checks(of: try await server.serverFacts(), settings)
            }
        } catch {
            return [failed("store", error)]
        }
        return settings.store.file.map { [file($0)] } ?? []
    }

    private func file(_ path: String) -> HealthCheck {
        let shown = VisibleText.path(path)
        guard Folder.mayWrite(path), Folder.mayWrite(Path.folder(of: path)) else {
            return HealthCheck(
                "store", .fail,
                "\(shown) cannot be written by this user. Run hubsend as the user that the store belongs to."
            )
        }
        return HealthCheck("store", .ok, "\(shown) is whole, and of this version.")
    }

    func checks(of server: ServerFacts, _ settings: EffectiveSettings) -> [HealthCheck] {
        let way =
            server.encryption.map { "the connection is encrypted (\($0))" }
            ?? (server.isOnSocket
                ? "the connection stays on this host" : "the connection is not encrypted")
        let known =
            "\(settings.store) can be read, and is of this version; PostgreSQL \(server.version), \(way)."
        let store =
            if server.isReplica {
                HealthCheck(
                    "store", .fail,
                    "\(known) It follows another server, so nothing can be written. Add target_session_attrs=read-write to its address."
                )
            } else if server.encryption == nil, !server.isOnSocket {
                HealthCheck(
                    "store", .warn, "\(known) Add sslmode=verify-full to its address.")
            } else if !server.isProven, !server.isOnSocket {
                HealthCheck(
                    "store", .warn,
                    "\(known) Nobody checks that the server is the right one. Add sslmode=verify-full to its address."
                )
            } else if !server.mayWrite {
                HealthCheck(
                    "store", .warn,
                    "\(known) The role may only read: `runs` and `report` work, and nothing can be sent. To send, name the role that the tables belong to."
                )
            } else {
                HealthCheck("store", .ok, known)
            }
        return [store, clock(server.clockAhead)]
    }

    /// Hosts' clocks time runs and schedules; the server's clock decides between hosts.
    private func clock(_ ahead: Duration) -> HealthCheck {
        let difference = ahead < .zero ? .zero - ahead : ahead
        guard difference > Self.mostSkew else {
            return HealthCheck(
                "store clock", .ok, "The server's clock and this host's agree.")
        }
        let seconds = Figures.count(Int(difference / .seconds(1)), "second", "seconds")
        let way = ahead < .zero ? "behind" : "ahead of"
        return HealthCheck(
            "store clock", .warn,
            "The server's clock is \(seconds) \(way) this host's. Let both follow a time server.")
    }

    private func missingStore(_ settings: EffectiveSettings) async -> HealthCheck {
        do {
            try await settings.store.checkPlace()
        } catch {
            return failed("store", error)
        }
        return HealthCheck(
            "store", .ok,
            "There is none at \(settings.store) yet; the first run makes it.")
    }

    private func disk(_ settings: EffectiveSettings) -> HealthCheck {
        do throws(SystemFault) {
            let folder = try Folder.nearest(settings.localFolder)
            let free = try Folder.freeBytes(at: folder)
            let message =
                "\(Figures.size(free)) are free where \(settings.store.file == nil ? "audiences are sorted" : "the store is")."
            if free < Self.littleRoom {
                return HealthCheck(
                    "disk", free < Self.noRoom ? .fail : .warn, message + " Make room.")
            }
            return HealthCheck("disk", .ok, message)
        } catch {
            return HealthCheck(
                "disk", .warn, "The system does not say how much room is left: \(error).")
        }
    }

    private func payloadKey(
        of store: any Store, _ settings: EffectiveSettings
    ) async -> HealthCheck {
        do {
            try await store.checkPayloadKey()
        } catch {
            return failed("payload key", error)
        }
        guard let secret = settings.payloadKeySecret else {
            guard settings.store.file == nil else {
                return HealthCheck(
                    "payload key", .ok,
                    "It is in the file beside the store, or is made there when it is needed.")
            }
            let path = VisibleText.path(settings.payloadKeyFile)
            return HealthCheck(
                "payload key", .ok,
                FileManager.default.fileExists(atPath: settings.payloadKeyFile)
                    ? "It is in the file \(path), which each host needs."
                    : "There is none yet. The first run that needs one makes it on its host, in \(path) on this one; then copy it to each host."
            )
        }
        return HealthCheck("payload key", .ok, "\(secret.setting) gives it.")
    }

    // MARK: Folders

    func reports(_ settings: EffectiveSettings) -> HealthCheck {
        let path = settings.reports
        let shown = VisibleText.path(path)
        do throws(SystemFault) {
            let nearest = try Folder.nearest(path)
            guard try FileStatus(of: nearest).kind == .folder, Folder.mayWrite(nearest) else {
                return HealthCheck(
                    "reports", .fail,
                    "Nothing can be written to the folder \(shown). Make it writable, or name another with --reports."
                )
            }
            return HealthCheck(
                "reports", .ok, nearest == path ? "\(shown)." : "\(shown), which a run makes.")
        } catch {
            return HealthCheck("reports", .fail, "\(shown) cannot be looked at: \(error).")
        }
    }

    func audiences(_ settings: EffectiveSettings) -> HealthCheck {
        guard let folder = settings.audiences else {
            return HealthCheck(
                "audiences", .ok, "No folder is named; campaigns cannot name export: files.")
        }
        let shown = VisibleText.path(folder.path)
        do throws(SystemFault) {
            _ = try Folder.names(in: folder.path)
            return HealthCheck("audiences", .ok, "\(shown).")
        } catch {
            return HealthCheck(
                "audiences", .fail,
                "The folder \(shown), which export: stands for, cannot be listed: \(error). Make it, or name another with HUBSEND_AUDIENCES."
            )
        }
    }

    // MARK: Who watches over runs

    /// Checks the addresses that are notified of runs, without calling them.
    func watchers(_ settings: EffectiveSettings) async -> [HealthCheck] {
        var checks: [HealthCheck] = []
        if let secret = settings.heartbeat { checks.append(await heartbeat(secret)) }
        if let path = settings.metrics { checks.append(metrics(path)) }
        return checks
    }

    private func heartbeat(_ secret: Secret) async -> HealthCheck {
        do {
            let text = try await secret.text()
            guard WebCall(text, userAgent: "hubsend") != nil else {
                return HealthCheck("heartbeat", .fail, Heartbeat.wrongForm(secret.setting))
            }
        } catch {
            return failed("heartbeat", error)
        }
        return HealthCheck(
            "heartbeat", .ok, "\(secret.setting) gives its address, which was not called.")
    }

    private func metrics(_ path: String) -> HealthCheck {
        let shown = VisibleText.path(path)
        do {
            try MetricsFile.check(path)
        } catch {
            return HealthCheck(
                "metrics", .fail, "The file \(shown) cannot be written: \(error).")
        }
        return HealthCheck("metrics", .ok, "\(shown).")
    }
}
