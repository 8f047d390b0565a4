import AsyncHTTPClient
import Foundation
import NIOCore
import TestSupport

/// The program that drives Chromium: started for a test on a port of its own choice.
final class ChromeDriver: Sendable {
    private let process: Process
    private let output: FileHandle
    private let ended: AsyncStream<Void>
    /// The port on 127.0.0.1 that it listens on.
    let port: Int

    /// Starts it, and waits until it listens.
    ///
    /// - Throws: ``BrowserError`` when it is not there, or ends before that.
    init() async throws {
        guard let path = InstalledTool.path(of: "chromedriver") else {
            throw BrowserError.missing("chromedriver")
        }
        let pipe = Pipe()
        let (chunks, came) = AsyncStream.makeStream(of: Data.self)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        self.ended = ended
        output = pipe.fileHandleForReading
        output.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { came.finish() } else { came.yield(data) }
        }
        process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = ["--port=0"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.terminationHandler = { _ in end.finish() }
        try process.run()
        var text = ""
        var port: Int?
        for await chunk in chunks {
            text += String(decoding: chunk, as: UTF8.self)
            port = text.firstMatch(of: #/started successfully on port (\d+)/#).flatMap {
                Int($0.1)
            }
            if port != nil { break }
        }
        guard let port else {
            kill(process.processIdentifier, SIGKILL)
            throw BrowserError.endedEarly(text)
        }
        self.port = port
    }

    /// Ends it with its browsers, and waits until they have.
    ///
    /// SIGTERM would wait for ever: a child inherits the signals that the thread blocks which starts it, and
    /// Dispatch's threads block nearly all.
    func stop() async {
        output.readabilityHandler = nil
        do {
            _ = try await HTTPClient.shared.get(
                url: "http://127.0.0.1:\(port)/shutdown", deadline: .now() + .seconds(30)
            ).get()
        } catch {
            kill(process.processIdentifier, SIGKILL)
        }
        for await _ in ended {}
    }
}
