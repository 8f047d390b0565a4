import CLibPQ
import Dispatch
import Glibc

/// A connection of libpq; this object is the only owner of its memory.
///
/// All calls block, and only one thread at a time may use the connection; other threads use
/// ``LineBreaker``.
@safe final class LibPQConnection {
    enum TransactionStatus {
        case idle, busy, inTransaction, inFailedTransaction, gone
    }

    private let connection: OpaquePointer
    private let deadline: AnswerDeadline
    /// How long a statement may take.
    var limit: Duration
    /// Whether an attempt to reach an address was abandoned.
    private var hasTimedOut = false

    /// Connects; later parameters override earlier ones, and `dbname` may be a whole URI.
    ///
    /// If a host does not answer within its `connect_timeout`, the next one is tried.
    static func open(
        _ parameters: [(name: String, value: String)], limit: Duration, deadline: AnswerDeadline
    ) throws(PostgreSQLError) -> LibPQConnection {
        var parameters = parameters
        var words = ""
        while true {
            guard let started = unsafe start(parameters) else {
                throw PostgreSQLError(
                    .other, message: "There is not enough memory for a connection.")
            }
            let line = unsafe LibPQConnection(started, limit, deadline)
            switch line.connect() {
            case .connected:
                deadline.watch(line.breaker)
                return line
            case .failed: throw problem(words + line.words)
            case .silent(let host, let rest):
                words += "connection to server \(host) failed: timeout expired\n"
                guard let rest else { throw problem(words) }
                parameters += rest
            case .givenUp:
                throw PostgreSQLError(
                    .unreachable, message: "The server did not answer before hubsend had to stop.")
            }
        }
    }

    private static func problem(_ words: String) -> PostgreSQLError {
        ConnectionFailure(words, ofLibrary: Int(PQlibVersion())).error
    }

    private init(_ connection: OpaquePointer, _ limit: Duration, _ deadline: AnswerDeadline) {
        unsafe self.connection = connection
        self.limit = limit
        self.deadline = deadline
        unsafe PQsetNoticeProcessor(connection, { _, _ in }, nil)
    }

    deinit {
        unsafe PQfinish(connection)
    }

    /// The effective parameters of a URI, of libpq's variables and of a service, without
    /// connecting.
    ///
    /// The result is empty if libpq refuses the URI, for example because of an unknown service.
    static func parameters(of uri: String) -> [ConnectionParameter] {
        // libpq reveals a service's parameters only on a connection. This connection does not look
        // up a host.
        let refused = unsafe start([("dbname", uri), ("channel_binding", "-")])
        defer { unsafe PQfinish(refused) }
        guard let options = unsafe PQconninfo(refused) else { return [] }
        defer { unsafe PQconninfoFree(options) }
        return unsafe ConnectionParameter.all(options)
    }

    private static func start(_ parameters: [(name: String, value: String)]) -> OpaquePointer? {
        unsafe withPointers(parameters.map(\.name)) { names in
            unsafe withPointers(parameters.map(\.value)) { values in
                unsafe PQconnectStartParams(names, values, 1)
            }
        }
    }

    /// The number of the session's process at the server; a pooler makes up this number.
    var process: Int32 { unsafe PQbackendPID(connection) }

    /// The server's version, such as 150018 for 15.18.
    var serverVersion: Int { Int(unsafe PQserverVersion(connection)) }

    var isBroken: Bool { unsafe PQstatus(connection) != CONNECTION_OK }

    var transactionStatus: TransactionStatus {
        switch unsafe PQtransactionStatus(connection) {
        case PQTRANS_IDLE: .idle
        case PQTRANS_ACTIVE: .busy
        case PQTRANS_INTRANS: .inTransaction
        case PQTRANS_INERROR: .inFailedTransaction
        default: .gone
        }
    }

    /// Allows other threads to end a call on this connection.
    private(set) lazy var breaker = unsafe LineBreaker(
        cancel: PQgetCancel(connection), socket: PQsocket(connection))

    /// A setting that the server reports by itself, such as `server_encoding`.
    func report(_ name: String) -> String? {
        unsafe PQparameterStatus(connection, name).map { unsafe String(cString: $0) }
    }

    /// The effective value of a parameter.
    func parameter(_ name: String) -> String? {
        guard let options = unsafe PQconninfo(connection) else { return nil }
        defer { unsafe PQconninfoFree(options) }
        return unsafe ConnectionParameter.all(options).first { $0.name == name }?.value
    }

    /// Runs statements without values; the result is that of the last one.
    func execute(_ sql: String) -> LibPQResult? {
        unsafe result(PQexec(connection, sql))
    }

    func prepare(_ name: String, _ sql: String, _ types: [UInt32]) -> LibPQResult? {
        unsafe result(PQprepare(connection, name, sql, Int32(types.count), types))
    }

    func execute(prepared name: String, _ values: BoundValues) -> LibPQResult? {
        unsafe values.withPointers { pointers, lengths, formats in
            unsafe result(
                PQexecPrepared(
                    connection, name, Int32(values.types.count), pointers, lengths, formats, 1))
        }
    }

    /// Sends a statement; ``next()`` then returns its rows one by one.
    func begin(prepared name: String, _ values: BoundValues) -> Bool {
        let isSent = unsafe values.withPointers { pointers, lengths, formats in
            deadline.expect(within: limit) {
                unsafe PQsendQueryPrepared(
                    connection, name, Int32(values.types.count), pointers, lengths, formats, 1)
            }
        }
        guard isSent == 1 else { return false }
        return unsafe PQsetSingleRowMode(connection) == 1
    }

    /// Returns the next result; nil if all results have been read.
    func next() -> LibPQResult? {
        unsafe result(PQgetResult(connection))
    }

    /// Sends a piece of a copy; returns false if that is no longer possible.
    func copy(_ bytes: borrowing [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            deadline.expect(within: limit) {
                unsafe PQputCopyData(
                    connection, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(bytes.count)) == 1
            }
        }
    }

    /// Ends a copy, or makes the server reject and discard it; ``next()`` returns the result.
    func endCopy(_ refusal: String?) {
        // If the end cannot be sent, the connection is broken, and the next result reports that.
        _ = deadline.expect(within: limit) { unsafe PQputCopyEnd(connection, refusal) }
    }

    /// Reads unsolicited data from the server without waiting; returns false if the connection is
    /// broken.
    func takeIn() -> Bool {
        unsafe PQconsumeInput(connection) == 1
    }

    /// The channel of the next notification.
    func notification() -> String? {
        guard let note = unsafe PQnotifies(connection) else { return nil }
        defer { unsafe PQfreemem(note) }
        return unsafe String(cString: note.pointee.relname)
    }

    /// Waits until the server has sent something or the connection has ended; returns false after
    /// the timeout.
    func waitForInput(milliseconds: Int32) -> Bool {
        // A signal is treated like input, because the caller then checks for input and waits again.
        unsafe isReady(PQsocket(connection), for: POLLIN, within: milliseconds)
    }

    /// The error of a result or of a missing result.
    func problem(of result: LibPQResult?) -> PostgreSQLError {
        if isBroken, deadline.hasPassed {
            return PostgreSQLError(.lost, message: "The server did not answer in time.")
        }
        if let error = result?.serverError, !isBroken || error.kind == .shuttingDown {
            return error
        }
        let words = ConnectionFailure.readable(words).joined(separator: "; ")
        return PostgreSQLError(
            isBroken ? .lost : .other, sqlState: result?.serverError?.sqlState,
            message: words.isEmpty ? "The connection to the server was lost." : words)
    }

    /// libpq's message about the last error.
    private var words: String {
        let words = unsafe text(PQerrorMessage(connection))
        guard hasTimedOut else { return words }
        return words.replacing(Self.words(ECONNRESET), with: "timeout expired")
    }

    /// The C library's text for an error number, as libpq uses it.
    static func words(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }

    private func result(_ call: @autoclosure () -> OpaquePointer?) -> LibPQResult? {
        unsafe deadline.expect(within: limit, call).map { unsafe LibPQResult($0) }
    }

    private static func withPointers<Value>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
    ) -> Value {
        let copies = unsafe texts.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        let pointers = unsafe copies.map { unsafe UnsafePointer<CChar>($0) } + [nil]
        return unsafe body(pointers)
    }
}

/// Cancels or ends a connection from any thread; it outlives the connection.
final class LineBreaker: Sendable {
    /// The address of libpq's cancel request as a number, because pointers are not Sendable;
    /// PQcancel is thread-safe.
    private let request: UInt
    /// A duplicate of the socket, so that its number is not reused.
    private let socket: Int32

    init(cancel: OpaquePointer?, socket: Int32) {
        request = UInt(bitPattern: cancel)
        self.socket = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    }

    /// False if too many files are open, because then calls could not be aborted.
    var canBreakOff: Bool { socket >= 0 }

    deinit {
        unsafe PQfreeCancel(OpaquePointer(bitPattern: request))
        if socket >= 0 { close(socket) }
    }

    /// Asks the server to cancel the statement; blocks until it answers.
    func cancel() {
        guard let request = unsafe OpaquePointer(bitPattern: request) else { return }
        var words = [CChar](repeating: 0, count: 256)
        // A statement that cannot be cancelled ends by itself or with its connection.
        _ = unsafe PQcancel(request, &words, Int32(words.count))
    }

    /// Closes the connection immediately, which ends waiting calls.
    func breakOff() {
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Closes the connection immediately; the server stops its work once it notices.
    func end() {
        breakOff()
        // The server might not answer this request.
        DispatchQueue(label: "hubsend.postgresql.cancel").async { self.cancel() }
    }

    /// Whether data from the server is unread or the connection has ended.
    var hasInput: Bool { isReady(socket, for: POLLIN, within: 0) }
}

/// Waits until a socket is ready or has ended; -1 means no time limit.
private func isReady(_ socket: Int32, for event: Int32, within milliseconds: Int32) -> Bool {
    var watched = pollfd(fd: socket, events: Int16(event), revents: 0)
    return unsafe poll(&watched, 1, milliseconds) != 0
}

// MARK: Connecting

extension LibPQConnection {
    private enum Attempt {
        case connected, failed, givenUp
        /// A host did not answer in time; the value contains the parameters for the remaining
        /// hosts, if any.
        case silent(host: String, rest: [(name: String, value: String)]?)
    }

    /// How often to check whether the caller is still waiting.
    private static let step = Duration.milliseconds(200)

    private func connect() -> Attempt {
        // This must be set before the server answers, because libpq includes the error code in its
        // messages only on request.
        unsafe PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
        defer { unsafe PQsetErrorVerbosity(connection, PQERRORS_DEFAULT) }
        guard unsafe PQstatus(connection) != CONNECTION_BAD else { return .failed }
        let limit = connectTimeout
        var (address, end) = ("", limit.map { ContinuousClock.now + $0 })
        var next = PGRES_POLLING_WRITING
        while next != PGRES_POLLING_OK {
            guard next != PGRES_POLLING_FAILED else { return .failed }
            let current = [host, hostAddress, port].joined(separator: " ")
            if current != address {
                (address, end) = (current, limit.map { .now + $0 })
            }
            guard !deadline.isGivenUp else { return .givenUp }
            let event = next == PGRES_POLLING_READING ? POLLIN : POLLOUT
            let wait = Int32((Self.step / .milliseconds(1)).rounded())
            if unsafe isReady(PQsocket(connection), for: event, within: wait) {
                next = unsafe PQconnectPoll(connection)
            } else if let end, end <= .now {
                guard unsafe PQstatus(connection) == CONNECTION_STARTED else { return silence() }
                // Makes libpq continue with the host's next address, or with the next host.
                hasTimedOut = true
                _ = unsafe shutdown(PQsocket(connection), Int32(SHUT_RDWR))
                next = unsafe PQconnectPoll(connection)
            }
        }
        hasTimedOut = false
        return .connected
    }

    /// The timeout as libpq reads it: 0 or less means no limit, and 1 is treated as 2; nil means no
    /// limit.
    private var connectTimeout: Duration? {
        guard let seconds = parameter("connect_timeout").flatMap({ Int($0) }), seconds > 0 else {
            return nil
        }
        return .seconds(max(2, seconds))
    }

    private func silence() -> Attempt {
        let lists = ["host", "hostaddr", "port"].map { name in
            (
                name: name,
                values: (parameter(name) ?? "").split(
                    separator: ",", omittingEmptySubsequences: false
                ).map(String.init)
            )
        }
        let place =
            lists[0].values.firstIndex(of: host)
            ?? lists[1].values.firstIndex(of: hostAddress)
        let count = max(lists[0].values.count, lists[1].values.count)
        var rest: [(name: String, value: String)]?
        if let place, place + 1 < count {
            rest = lists.filter { $0.values.count > 1 }.map { list in
                (list.name, list.values.dropFirst(place + 1).joined(separator: ","))
            }
        }
        return .silent(host: "at \"\(host)\", port \(port)", rest: rest)
    }

    private var host: String { unsafe text(PQhost(connection)) }
    private var hostAddress: String { unsafe text(PQhostaddr(connection)) }
    private var port: String { unsafe text(PQport(connection)) }

    private func text(_ text: UnsafePointer<CChar>?) -> String {
        unsafe text.map { unsafe String(cString: $0) } ?? ""
    }
}
