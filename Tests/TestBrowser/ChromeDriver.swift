import AsyncHTTPClient
import Glibc
import NIOCore
import TestSupport
import Testing

/// The program that drives Chromium, on a port that it chooses itself.
final class ChromeDriver: Sendable {
    private let driver: ChildProcess
    let port: Int

    init() async throws {
        guard let path = InstalledTool.path(of: "chromedriver") else {
            throw BrowserError.missing("chromedriver")
        }
        driver = try await ChildProcess.start(path, ["--port=0"])
        do {
            port = try await driver.output { text in
                text.firstMatch(of: #/started successfully on port (\d+)/#).flatMap { Int($0.1) }
            }
        } catch let error as ChildProcess.EndedEarly {
            throw BrowserError.endedEarly(error.result.output)
        }
    }

    /// Ends the driver and its browsers; a signal would leave the browsers running.
    func stop() async {
        do {
            _ = try await HTTPClient.shared.get(
                url: "http://127.0.0.1:\(port)/shutdown", deadline: .now() + .seconds(30)
            ).get()
        } catch {
            driver.signal(SIGKILL)
        }
        do {
            _ = try await driver.result()
        } catch {
            Issue.record(error)
        }
    }
}
