import CLibPQ
import Dispatch
import Glibc

/// A connection of libpq, the only owner of its memory.
///
/// All calls block their thread, one thread at a time; ``LineBreaker`` is for other threads.
@safe final class LibPQConnection {
    enum Standing {
        case idle, busy, inTransaction, inFailedTransaction, gone
    }

    private let connection: OpaquePointer
    private let deadline: AnswerDeadline
    /// How long a statement may take.
    var limit: Duration
    /// Whether an address was given up while connecting.
    private var hasTimedOut = false

    /// Connects; later parameters win over earlier ones, and `dbname` may be a whole URI.
    ///
    /// A host that does not answer within its `connect_timeout` is left for the next one.
    static func open(
        _ parameters: [(name: String, value: String)], limit: Duration, deadline: AnswerDeadline
    ) throws(PostgreSQLError) -> LibPQConnection {
        var parameters = parameters
        var words = ""
        while true {
            guard let started = unsafe start(parameters) else {
                throw PostgreSQLError(.other, message: "There is no memory for a connection.")
            }
            let line = unsafe LibPQConnection(started, limit, deadline)
            switch line.connect() {
            case .connected:
                deadline.watch(line.breaker)
                return line
            case .failed: throw fault(words + line.words)
            case .silent(let host, let rest):
                words += "connection to server \(host) failed: timeout expired\n"
                guard let rest else { throw fault(words) }
                parameters += rest
            case .givenUp:
                throw PostgreSQLError(
                    .unreachable, message: "It did not answer before hubsend was to end.")
            }
        }
    }

    private static func fault(_ words: String) -> PostgreSQLError {
        ConnectFault(words, ofLibrary: Int(PQlibVersion())).error
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
    /// Empty if libpq refuses the URI, as with an unknown service.
    static func parameters(of uri: String) -> [ConnectionParameter] {
        // libpq only reveals a service's parameters on a connection. This one looks for no host.
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

    /// The server's process that answers; a pooler invents the number.
    var process: Int32 { unsafe PQbackendPID(connection) }

    /// As 150018 for 15.18.
    var serverVersion: Int { Int(unsafe PQserverVersion(connection)) }

    var isBroken: Bool { unsafe PQstatus(connection) != CONNECTION_OK }

    var standing: Standing {
        switch unsafe PQtransactionStatus(connection) {
        case PQTRANS_IDLE: .idle
        case PQTRANS_ACTIVE: .busy
        case PQTRANS_INTRANS: .inTransaction
        case PQTRANS_INERROR: .inFailedTransaction
        default: .gone
        }
    }

    /// Lets other threads end a call on this connection.
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

    /// Runs statements without values; the result is the last one's.
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

    /// Sends a statement whose rows then come one by one from ``next()``.
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

    /// nil: all results were read.
    func next() -> LibPQResult? {
        unsafe result(PQgetResult(connection))
    }

    /// Sends a piece of a copy; false: that is no longer possible.
    func copy(_ bytes: borrowing [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            deadline.expect(within: limit) {
                unsafe PQputCopyData(
                    connection, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(bytes.count)) == 1
            }
        }
    }

    /// Ends a copy, or with a refusal has the server drop it; ``next()`` gives the result.
    func endCopy(_ refusal: String?) {
        // If it cannot be sent, the connection is broken, and the next result says so.
        _ = deadline.expect(within: limit) { unsafe PQputCopyEnd(connection, refusal) }
    }

    /// Reads what the server sent by itself, without waiting; false: the connection is broken.
    func takeIn() -> Bool {
        unsafe PQconsumeInput(connection) == 1
    }

    /// The channel of the next notification.
    func notification() -> String? {
        guard let note = unsafe PQnotifies(connection) else { return nil }
        defer { unsafe PQfreemem(note) }
        return unsafe String(cString: note.pointee.relname)
    }

    /// Waits until the server has sent something, or the connection has ended; false: timeout.
    func waitForInput(milliseconds: Int32) -> Bool {
        // A signal counts as input: the caller looks, and waits again.
        unsafe isReady(PQsocket(connection), for: POLLIN, within: milliseconds)
    }

    /// The error of a result, or of its absence.
    func fault(of result: LibPQResult?) -> PostgreSQLError {
        if isBroken, deadline.hasPassed {
            return PostgreSQLError(.lost, message: "The server did not answer in time.")
        }
        if let error = result?.serverError, !isBroken || error.kind == .shuttingDown {
            return error
        }
        let words = ConnectFault.readable(words).joined(separator: "; ")
        return PostgreSQLError(
            isBroken ? .lost : .other, sqlState: result?.serverError?.sqlState,
            message: words.isEmpty ? "The connection to the server broke." : words)
    }

    /// libpq's message about its last error.
    private var words: String {
        let words = unsafe text(PQerrorMessage(connection))
        guard hasTimedOut else { return words }
        return words.replacing(Self.words(ECONNRESET), with: "timeout expired")
    }

    /// The C library's words, as libpq has them.
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

/// Ends what a connection is doing, from any thread; it outlives the connection.
final class LineBreaker: Sendable {
    /// libpq's request as a number, since pointers are not Sendable; PQcancel is thread-safe.
    private let request: UInt
    /// A duplicate of the socket, so that its number is not reused.
    private let socket: Int32

    init(cancel: OpaquePointer?, socket: Int32) {
        request = UInt(bitPattern: cancel)
        self.socket = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    }

    /// False if too many files are open; then no call could be given up.
    var canBreakOff: Bool { socket >= 0 }

    deinit {
        unsafe PQfreeCancel(OpaquePointer(bitPattern: request))
        if socket >= 0 { close(socket) }
    }

    /// Asks the server to end the statement; blocks until it answers.
    func cancel() {
        guard let request = unsafe OpaquePointer(bitPattern: request) else { return }
        var words = [CChar](repeating: 0, count: 256)
        // A statement that cannot be cancelled ends by itself, or with its connection.
        _ = unsafe PQcancel(request, &words, Int32(words.count))
    }

    /// Ends the connection at once, for those who wait at it.
    func breakOff() {
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Ends the connection at once, and the work at the server when it hears of it.
    func end() {
        breakOff()
        // The server may not answer.
        DispatchQueue(label: "hubsend.postgresql.cancel").async { self.cancel() }
    }

    /// Whether something that the server sent lies unread, or the connection has ended.
    var hasInput: Bool { isReady(socket, for: POLLIN, within: 0) }
}

/// Whether a socket can be read or written, or has ended, within a time; -1: without limit.
private func isReady(_ socket: Int32, for event: Int32, within milliseconds: Int32) -> Bool {
    var watched = pollfd(fd: socket, events: Int16(event), revents: 0)
    return unsafe poll(&watched, 1, milliseconds) != 0
}

// MARK: Connecting

extension LibPQConnection {
    private enum Attempt {
        case connected, failed, givenUp
        /// A host has not answered in time; with the parameters for those after it, if any.
        case silent(host: String, rest: [(name: String, value: String)]?)
    }

    /// How often it is looked whether the caller still waits.
    private static let step = Duration.milliseconds(200)

    private func connect() -> Attempt {
        // Before the server answers: libpq gives its error code only in words, and on request.
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
                // Has libpq go on to the host's next address, or the next host.
                hasTimedOut = true
                _ = unsafe shutdown(PQsocket(connection), Int32(SHUT_RDWR))
                next = unsafe PQconnectPoll(connection)
            }
        }
        hasTimedOut = false
        return .connected
    }

    /// As libpq reads it: 0 or less is without limit, and 1 counts as 2; nil: without limit.
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
