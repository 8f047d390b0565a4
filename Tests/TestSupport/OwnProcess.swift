import Foundation
import Testing

/// Runs what a test does in a process of its own, since it changes what belongs to a process, or ends it.
///
/// Testing's own exit tests are not used: from the first of them on a thread asks for the end of any child, without a pause while
/// one has ended that others have yet to wait for.
package enum OwnProcess {
    private static let variable = "HUBSEND_TEST_VALUES"

    /// Starts this program again for the current test alone, which there does the work instead, and waits for its end.
    ///
    /// The test must have no arguments. What stands behind this call runs in the other process too, unless the work ends it.
    ///
    /// - Parameters:
    ///   - status: the exit code with which it has to end; 128 and the number for a signal.
    ///   - values: what the work gets, as it is here.
    ///   - work: the work.
    package static func run(
        endingWith status: Int32 = 0, passing values: [String] = [],
        _ work: ([String]) async throws -> Void
    ) async throws {
        var environment = ProcessInfo.processInfo.environment
        if let passed = environment[variable] {
            return try await work(
                try JSONDecoder().decode([String].self, from: Data(passed.utf8)))
        }
        let test = try #require(Test.current)
        let names = [test.id.moduleName] + test.id.nameComponents
        // What it leaves behind when it is ended goes with this.
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
