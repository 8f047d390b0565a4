import CampaignCore
import CampaignFormat
import Files
import Foundation
import NotificationHubs
import PostgreSQLDriver
import Storage

extension Doctor {
    /// If fewer bytes are free, a run with a large audience may not fit.
    private static let littleRoom = 1 << 30
    /// The largest acceptable difference between a server's clock and this host's.
    private static let mostSkew = Duration.seconds(5)
    /// If fewer bytes are free, hardly any run fits.
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
                options, migrates: false)
            checks += await inspect(store, of: settings)
            if key == nil { key = await payloadKey(of: store, settings) }
            try store.close()
        } catch StoreError.notFound {
            checks.append(await missingStore(settings))
        } catch StoreError.olderVersion {
            checks.append(
                HealthCheck(
                    "store", .warn,
                    "\(settings.store) was created by an older version of hubsend. The next command that uses it upgrades it."
                ))
        } catch {
            checks = [failed("store", error)]
        }
        return checks + [containerCheck(settings)].compactMap(\.self) + [disk(settings)]
            + [key].compactMap(\.self)
    }

    /// Returns a warning if the store would be lost with its container; otherwise nil.
    private func containerCheck(_ settings: EffectiveSettings) -> HealthCheck? {
        guard let path = settings.store.file else { return nil }
        do throws(SystemError) {
            let folder = try Folder.nearest(Path.folder(of: path))
            guard try Container.holds(folder) else { return nil }
        } catch {
            return nil
        }
        return HealthCheck(
            "store place", .warn,
            """
            \(VisibleText.path(path)) is on the container's own file system and is lost with the container. After that, \
            hubsend no longer knows who was sent what, and schedules start over. Keep the store on a volume or on a \
            PostgreSQL server.
            """)
    }

    private func inspect(_ store: any Store, of settings: EffectiveSettings) async -> [HealthCheck]
    {
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
                "\(shown) is not writable by this user. Run hubsend as the user who owns the store."
            )
        }
        return HealthCheck("store", .ok, "\(shown) is intact and up to date.")
    }

    func checks(of server: ServerFacts, _ settings: EffectiveSettings) -> [HealthCheck] {
        let way =
            server.encryption.map { "the connection is encrypted (\($0))" }
            ?? (server.isOnSocket
                ? "the connection does not leave this host" : "the connection is not encrypted")
        let known =
            "\(settings.store) is readable and up to date; PostgreSQL \(server.version), \(way)."
        let store =
            if server.isReplica {
                HealthCheck(
                    "store", .fail,
                    "\(known) This server is a read-only replica. Add target_session_attrs=read-write to the store's address."
                )
            } else if server.encryption == nil, !server.isOnSocket {
                HealthCheck(
                    "store", .warn, "\(known) Add sslmode=verify-full to the store's address.")
            } else if !server.isProven, !server.isOnSocket {
                HealthCheck(
                    "store", .warn,
                    "\(known) The server's identity is not verified. Add sslmode=verify-full to the store's address."
                )
            } else if !server.mayWrite {
                HealthCheck(
                    "store", .warn,
                    "\(known) The role can only read: `runs` and `report` work, but nothing can be sent. To send, connect as the role that owns the tables."
                )
            } else {
                HealthCheck("store", .ok, known)
            }
        return [store, clock(server.clockAhead)]
    }

    /// Runs and schedules use the hosts' clocks; coordination between hosts uses the
    /// server's clock.
    private func clock(_ ahead: Duration) -> HealthCheck {
        let difference = ahead < .zero ? .zero - ahead : ahead
        guard difference > Self.mostSkew else {
            return HealthCheck(
                "store clock", .ok, "The server's clock agrees with this host's.")
        }
        let seconds = Figures.count(Int(difference / .seconds(1)), "second", "seconds")
        let way = ahead < .zero ? "behind" : "ahead of"
        return HealthCheck(
            "store clock", .warn,
            "The server's clock is \(seconds) \(way) this host's. Synchronise both with a time server."
        )
    }

    private func missingStore(_ settings: EffectiveSettings) async -> HealthCheck {
        do {
            try await settings.store.checkPlace()
        } catch {
            return failed("store", error)
        }
        return HealthCheck(
            "store", .ok,
            "There is no store at \(settings.store) yet. The first run creates it.")
    }

    private func disk(_ settings: EffectiveSettings) -> HealthCheck {
        do throws(SystemError) {
            let folder = try Folder.nearest(settings.localFolder)
            let free = try Folder.freeBytes(at: folder)
            let message =
                "\(Figures.size(free)) is free on the disk \(settings.store.file == nil ? "where audiences are sorted" : "of the store")."
            if free < Self.littleRoom {
                return HealthCheck(
                    "disk", free < Self.noRoom ? .fail : .warn, message + " Free some space.")
            }
            return HealthCheck("disk", .ok, message)
        } catch {
            return HealthCheck(
                "disk", .warn, "The free disk space could not be read: \(error).")
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
                    "The key file is next to the store; the first run that needs a key creates it.")
            }
            let path = VisibleText.path(settings.payloadKeyFile)
            return HealthCheck(
                "payload key", .ok,
                FileManager.default.fileExists(atPath: settings.payloadKeyFile)
                    ? "The key is in the file \(path). Every host needs a copy."
                    : "There is no key yet. The first run that needs a key creates it on its own host (here, as \(path)). Then copy it to every host."
            )
        }
        return HealthCheck("payload key", .ok, "The key comes from \(secret.setting).")
    }

    // MARK: Folders

    func reports(_ settings: EffectiveSettings) -> HealthCheck {
        let path = settings.reports
        let shown = VisibleText.path(path)
        do throws(SystemError) {
            let nearest = try Folder.nearest(path)
            guard try FileStatus(of: nearest).kind == .folder, Folder.mayWrite(nearest) else {
                return HealthCheck(
                    "reports", .fail,
                    "The folder \(shown) is not writable. Make it writable, or choose another folder with --reports."
                )
            }
            return HealthCheck(
                "reports", .ok,
                nearest == path ? "\(shown)." : "\(shown). The first run creates it.")
        } catch {
            return HealthCheck("reports", .fail, "The folder \(shown) cannot be checked: \(error).")
        }
    }

    func audiences(_ settings: EffectiveSettings) -> HealthCheck {
        guard let folder = settings.audiences else {
            return HealthCheck(
                "audiences", .ok, "No folder is set, so campaigns cannot use export: files.")
        }
        let shown = VisibleText.path(folder.path)
        do throws(SystemError) {
            _ = try Folder.names(in: folder.path)
            return HealthCheck("audiences", .ok, "\(shown).")
        } catch {
            return HealthCheck(
                "audiences", .fail,
                "The files in the export folder \(shown) cannot be listed: \(error). Create it, or set HUBSEND_AUDIENCES to another folder."
            )
        }
    }

    // MARK: Monitoring

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
            "heartbeat", .ok, "The address is set in \(secret.setting). It was not called.")
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
