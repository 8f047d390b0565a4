package import DeviceClient
import Foundation
package import Logging

/// The simulated devices of a user, which register, wait for pushes and fetch their payloads.
package struct SimulatedDevices: Sendable {
    package enum End: Sendable {
        case goal
        case time
        case cancelled
        /// The hub cannot be watched, or a device cannot be registered.
        case failure(any Error)
    }

    /// The maximum number of concurrent pushes and registrations.
    private static let concurrency = 16
    private static let attempts = 5
    private static let longestPause = Duration.seconds(30)
    private static let firstPause = Duration.milliseconds(500)

    private let settings: DeviceSettings
    private let devices: [SimulatedDevice]
    private let watch: PushWatch
    private let tally: DeviceTally
    private let output: DeviceOutput
    private let explain: @Sendable (any Error) -> String

    /// Creates the devices, without connecting yet.
    package init(
        _ settings: DeviceSettings, watch: PushWatch, tally: DeviceTally, output: DeviceOutput,
        transport: any DeviceTransport, explain: @escaping @Sendable (any Error) -> String,
        using generator: inout some RandomNumberGenerator
    ) throws {
        self.settings = settings
        self.watch = watch
        self.tally = tally
        self.output = output
        self.explain = explain
        devices = try (1...settings.count).map { number in
            let handle =
                settings.handle ?? MadeUpHandle.random(for: settings.platform, using: &generator)
            return try SimulatedDevice(
                number: number, settings, handle: handle, transport: transport)
        }
    }

    /// Runs until the goal or the time limit is reached or the task is cancelled, then removes
    /// registrations of generated handles.
    ///
    /// If the devices fail, `onFailure` is called before anything else happens.
    package func work(
        for duration: Duration?, logger: Logger, onFailure: (any Error) -> Void
    ) async -> End {
        let end: End
        do {
            end = try await untilEnd(for: duration)
        } catch  where Task.isCancelled {
            end = .cancelled
        } catch {
            onFailure(error)
            end = .failure(error)
        }
        // If the hub or a credential is missing, the backend cannot unregister devices either.
        let saysFailures =
            if case .failure(let error) = end { error.ofBackend != nil } else { true }
        // This is a separate task, so that the signal that ended the work does not cancel it.
        await Task {
            await unregister { device, why in
                if saysFailures {
                    await tally.fail(device, why)
                } else {
                    logger.info("\(why)", metadata: ["device": "\(device.number)"])
                }
            }
        }.value
        return end
    }

    private func untilEnd(for duration: Duration?) async throws -> End {
        try await withThrowingTaskGroup(of: End.self) { tasks in
            defer { tasks.cancelAll() }
            tasks.addTask {
                try await run()
                return .goal
            }
            tasks.addTask {
                for await _ in tally.isEnough {}
                try Task.checkCancellation()
                return .goal
            }
            if let duration {
                tasks.addTask {
                    try await Task.sleep(for: duration)
                    return .time
                }
            }
            guard let end = try await tasks.next() else { throw CancellationError() }
            return end
        }
    }

    /// Runs until the task is cancelled.
    private func run() async throws {
        var byRegistration: [String: SimulatedDevice]?
        try await withThrowingTaskGroup(of: Void.self) { group in
            var running = 0
            try await watch.run {
                // Devices register again after each lost connection, because a hub that was
                // restarted does not know them.
                let isFirst = byRegistration == nil
                byRegistration = try await registered(attempts: isFirst ? 1 : Self.attempts)
                if isFirst { try announce() }
            } onPush: { push in
                guard push.isDelivered, let device = byRegistration?[push.registration] else {
                    return
                }
                if running >= Self.concurrency {
                    try await group.next()
                    running -= 1
                }
                group.addTask { await receive(push, on: device) }
                running += 1
            }
        }
    }

    /// Removes the registrations of generated handles, which would never be used again.
    private func unregister(onFailure: @Sendable (SimulatedDevice, String) async -> Void) async {
        guard settings.handle == nil else { return }
        await withTaskGroup(of: (SimulatedDevice, String)?.self) { group in
            for (index, device) in devices.enumerated() {
                if index >= Self.concurrency, case let (device, why)?? = await group.next() {
                    await onFailure(device, why)
                }
                group.addTask {
                    do {
                        try await device.client.unregister()
                        return nil
                    } catch {
                        return (device, "it could not be unregistered: " + message(of: error))
                    }
                }
            }
            for await case let (device, why)? in group { await onFailure(device, why) }
        }
    }

    private func message(of error: any Error) -> String {
        if let error = error.ofBackend { return settings.sentence(error) }
        return explain(error)
    }

    private func registered(attempts: Int) async throws -> [String: SimulatedDevice] {
        try await withThrowingTaskGroup(of: (String, SimulatedDevice).self) { group in
            var found: [String: SimulatedDevice] = [:]
            for (index, device) in devices.enumerated() {
                if index >= Self.concurrency, let (id, device) = try await group.next() {
                    found[id] = device
                }
                group.addTask {
                    (try await tried(attempts) { try await device.register() }, device)
                }
            }
            for try await (id, device) in group { found[id] = device }
            return found
        }
    }

    private func announce() throws {
        guard !settings.isQuiet || settings.isJSON else { return }
        try output.write(
            settings.isJSON
                ? "{\"devices\":\(settings.count),\"ready\":true}\n"
                : """
                \(settings.count) \(settings.platform.rawValue) \(settings.count == 1 ? "device" : "devices") of \
                \(settings.user) registered at \(settings.backend.absoluteString). Press Ctrl-C to stop.

                """)
    }

    private func receive(_ push: WatchedPush, on device: SimulatedDevice) async {
        let content = DevicePush(body: push.body, platform: device.platform)
        do {
            if content.canReplacePlaceholder {
                try await replacePlaceholder(of: content, on: device)
            } else if content.placeholder != nil, !device.opensToasts {
                // No extension runs for an alert without `mutable-content`.
                await tally.add(DeviceLine(placeholderOf: content, on: device, .nothingToReplace))
            } else {
                let notification = try await tried { try await device.client.handle(content) }
                try await show(
                    DeviceLine(notification, of: content, on: device), notification, device)
            }
        } catch  where Task.isCancelled {
            return
        } catch {
            await tally.fail(device, sentence(content, message(of: error)))
        }
    }

    /// Acts as a notification service extension: a payload fetched in time replaces the
    /// placeholder.
    private func replacePlaceholder(
        of push: DevicePush, on device: SimulatedDevice
    ) async throws {
        switch await device.client.replacement(for: push) {
        case .notification(let notification, let isRepeat):
            var line = DeviceLine(notification, of: push, on: device)
            line.isRepeat = isRepeat == true ? true : nil
            try await show(line, notification, device)
        case .placeholder(let reason):
            try Task.checkCancellation()
            await tally.add(DeviceLine(placeholderOf: push, on: device, reason))
            if let trouble = settings.trouble(reason) {
                await tally.fail(device, sentence(push, trouble))
            }
        }
    }

    /// Saves the content, marks it as read, and writes the line.
    private func show(
        _ shown: DeviceLine, _ notification: DeviceNotification, _ device: SimulatedDevice
    ) async throws {
        var line = shown
        line.file = try save(notification)
        if settings.marksRead, let id = notification.readID {
            try await tried { try await device.client.markRead(id) }
            line.read = true
        }
        await tally.add(line)
    }

    private func sentence(_ push: DevicePush, _ why: String) -> String {
        (push.id.map { "notification \($0): " } ?? "") + why
    }

    private func save(_ notification: DeviceNotification) throws -> String? {
        switch notification {
        case .secure(let id, let text, _):
            try settings.folder?.save(
                Data(text.utf8), of: id, type: "secure", mediaType: "text/plain")
        case .rich(let rich):
            try settings.folder?.save(
                rich.content.data, of: rich.id, type: rich.type ?? "rich",
                mediaType: rich.content.essence)
        case .alert, .generic, .nothing:
            nil
        }
    }

    /// Retries temporary failures, as an app does.
    private func tried<Value: Sendable>(
        _ attempts: Int = Self.attempts, _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        var pause = Self.firstPause
        for _ in 1..<attempts {
            do {
                return try await work()
            } catch let error as BackendClientError where error.isPassing {
                try await Task.sleep(for: min(error.retryAfter ?? pause, Self.longestPause))
                pause = pause * 2
            }
        }
        return try await work()
    }
}

extension DeviceNotification {
    /// The id to mark as read; nil if the content was not shown.
    fileprivate var readID: DeviceClient.NotificationID? {
        switch self {
        case .secure(let id, _, _): id
        case .rich(let rich): rich.id
        case .alert, .generic, .nothing: nil
        }
    }
}

extension Error {
    /// The error from the backend or from the connection to it; nil for an error on this machine,
    /// such as an unreadable secret.
    package var ofBackend: BackendClientError? {
        guard let error = self as? BackendClientError, error.underlyingError == nil else {
            return nil
        }
        return error
    }
}
