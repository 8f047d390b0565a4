import Foundation
import Testing

/// Runs a test's work in a separate process, because it changes or ends its process.
///
/// Exit tests of Swift Testing would busy-wait for children that others have not waited for yet.
package enum OwnProcess {
    private static let variable = "HUBSEND_TEST_VALUES"

    /// Runs the current test, which must have no arguments, in a new process that does the work,
    /// and waits for its end.
    ///
    /// The code after this call also runs there, unless the work ends the process. A status above
    /// 128 is 128 plus the number of a signal.
    package static func run(
        endingWith status: Int32 = 0, passing values: [String] = [],
        _ work: ([String]) async throws -> Void
    ) async throws {
        var environment = ProcessInfo.processInfo.environment
        if let passed = environment[variable] {
            return try await work(try JSONDecoder().decode([String].self, from: Data(passed.utf8)))
        }
        let test = try #require(Test.current)
        let names = [test.id.moduleName] + test.id.nameComponents
        // This folder is removed with everything that the process leaves behind.
        let folder = try TemporaryFolder()
        environment["TMPDIR"] = folder.path
        environment[variable] = String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let child = try await ChildProcess.start(
            program,
            [
                "--testing-library", "swift-testing", "--filter",
                names.map(NSRegularExpression.escapedPattern(for:)).joined(separator: "."),
            ], environment: environment)
        let result = try await child.result()
        withExtendedLifetime(folder) {}
        #expect(result.status == status, "\(result.output)\(result.complaints)")
    }
}
