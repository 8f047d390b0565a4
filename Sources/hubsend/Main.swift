import ArgumentParser
import CMalloc
import Foundation

/// Parses, runs, and turns whatever happened into a sentence and an exit code.
@main
enum Main {
    static func main() async {
        // Each further heap would hold on to memory that a large audience once took, and nothing here needs more.
        mallopt(M_ARENA_MAX, 2)
        exit(await status().rawValue)
    }

    private static func status() async -> ExitStatus {
        do {
            var command = try await Hubsend.asyncParseAsRoot()
            guard var asynchronous = command as? any AsyncParsableCommand else {
                try command.run()
                return .done
            }
            try await asynchronous.run()
            return .done
        } catch let end as CommandEnd {
            return end.status
        } catch let failure as CommandFailure {
            Console.complain("hubsend: \(failure.message)")
            return failure.status
        } catch {
            return explain(error)
        }
    }

    /// Help and version go to stdout; a usage error says what is wrong on stderr.
    private static func explain(_ error: any Error) -> ExitStatus {
        let code = Hubsend.exitCode(for: error)
        let message = Hubsend.fullMessage(for: error)
        if code == .success {
            do {
                try Console.output(message.isEmpty ? "" : message + "\n")
                return .done
            } catch {
                Console.complain("hubsend: \(error)")
                return .configuration
            }
        }
        if code == .validationFailure {
            Console.complain(message)
            return .configuration
        }
        let failure = FailureTranslation.failure(for: error)
        Console.complain("hubsend: \(failure.message)")
        return failure.status
    }
}
