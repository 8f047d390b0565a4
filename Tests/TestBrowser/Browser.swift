import AsyncHTTPClient
import Foundation
import NIOCore
import TestSupport

/// A headless Chromium with one window, driven through W3C WebDriver.
package struct Browser: Sendable {
    /// How long a test waits for a page, in milliseconds: enough for a busy machine, but less than
    /// the limit of a test.
    private static let patience = 180_000

    private let session: String

    /// Runs a browser and its driver during a piece of work.
    package static func run(_ work: (Browser) async throws -> Void) async throws {
        let driver = try await ChromeDriver()
        let profile = try TemporaryFolder()
        let result: Result<Void, any Error>
        do {
            let browser = try await Browser(driver, profile: profile.path)
            try await browser.reportMistakes()
            try await browser.standOnADesk()
            result = .success(try await work(browser))
        } catch {
            result = .failure(error)
        }
        // The processes end even if the test was cancelled.
        await Task { await driver.stop() }.value
        withExtendedLifetime(profile) {}
        try result.get()
    }

    private init(_ driver: ChromeDriver, profile: String) async throws {
        struct Session: Decodable {
            let sessionId: String
        }
        // Chromium's sandbox does not work for root, and containers often have too little shared
        // memory.
        // All pages are trusted, so fewer processes are enough.
        let root = "http://127.0.0.1:\(driver.port)"
        let created: Session = try await Self.post(
            "\(root)/session",
            """
            {"capabilities":{"alwaysMatch":{"browserName":"chrome",
            "timeouts":{"script":\(Self.patience)},
            "goog:chromeOptions":{"args":["--headless=new","--disable-gpu",
            "--disable-dev-shm-usage","--disable-background-networking","--no-first-run",
            "--in-process-gpu","--process-per-site","--renderer-process-limit=1","--disable-site-isolation-trials",
            "--disable-component-update","--disable-default-apps","--disable-sync",
            "--user-data-dir=\(profile)"\(getuid() == 0 ? #","--no-sandbox""# : "")]}}}}
            """)
        session = "\(root)/session/\(created.sessionId)"
    }

    /// Sends the driver a command that returns no result; the path is relative to the session.
    package func command(_ path: String, _ body: String) async throws {
        let _: Ignored = try await answer(path, body)
    }

    /// Sends the driver a command by its path within the session, with parameters as JSON.
    package func answer<Value: Decodable>(_ path: String, _ body: String) async throws -> Value {
        try await Self.post("\(session)/\(path)", body)
    }

    /// Sends a command to Chromium itself, with parameters as JSON.
    package func chromium<Value: Decodable>(
        _ name: String, _ parameters: String = "{}", as type: Value.Type = Value.self
    ) async throws -> Value {
        try await answer("goog/cdp/execute", #"{"cmd":"\#(name)","params":\#(parameters)}"#)
    }

    package struct Ignored: Decodable {
        package init(from decoder: any Decoder) {}
    }

    private struct Answer<Value: Decodable>: Decodable {
        let value: Value
    }

    private struct Refusal: Decodable {
        let error: String
        let message: String
    }

    private static func post<Value: Decodable>(
        _ url: String, _ body: String
    ) async throws -> Value {
        let answer = try await HTTPClient.shared.post(
            url: url, body: .string(body), deadline: .now() + .seconds(90)
        ).get()
        let data = Data(answer.body.map { Array($0.readableBytesView) } ?? [])
        let decoder = JSONDecoder()
        if let refusal = try? decoder.decode(Answer<Refusal>.self, from: data).value {
            throw BrowserError.refused(refusal.error, refusal.message)
        }
        return try decoder.decode(Answer<Value>.self, from: data).value
    }
}
