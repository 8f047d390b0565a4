// swift-tools-version: 6.3
import PackageDescription

#if canImport(Glibc)
    import Glibc
#endif

/// Whether this is a build for `Benchmarks/fuzz`, with libFuzzer and the address sanitizer in every target.
let isFuzzing = Context.environment["HUBSEND_FUZZ"] == "1"

/// Settings for fuzzing, with optimisation, since a million inputs would otherwise take hours.
let fuzzing: [SwiftSetting] = isFuzzing ? [.unsafeFlags(["-O", "-sanitize=fuzzer,address"])] : []

/// The language settings of every Swift target; CONTRIBUTING.md says why.
let settings: [SwiftSetting] =
    fuzzing + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
    ]

/// The commit of a release, given by its builder; `hubsend --version --verbose` shows it.
///
/// `Context.gitInformation` could be out of date, because the package manager caches the result of this file until its text or the
/// environment changes.
let commit = [Context.environment["HUBSEND_COMMIT"] ?? ""]
    .filter { !$0.isEmpty && $0.allSatisfy { $0.isHexDigit || "-dirty".contains($0) } }
    .map { CSetting.define("HUBSEND_COMMIT", to: $0) }

/// Whether this machine's loader supports packed relocations (DT_RELR), as glibc does since 2.36.
///
/// A program with packed relocations does not start with an older glibc, so build on the oldest system that should run it. The package
/// manager caches the answer, so machines with different glibc versions must not share its caches.
let hasPackedRelocations: Bool = {
    #if canImport(Glibc)
        var text = [CChar](repeating: 0, count: 64)
        guard confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count) > 0 else { return false }
        let version = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            .drop { !$0.isNumber }.split(separator: ".").compactMap { Int($0) }
        return version.count >= 2 && (version[0], version[1]) >= (2, 36)
    #else
        return false
    #endif
}()

/// Exports no symbols, because nobody uses them.
///
/// The static Swift libraries export everything. Processing these exports would take the loader a sixth of the start-up time.
let withoutExports = ["-Xlinker", "--no-export-dynamic"]

/// Packs the list of the 177,000 addresses that the loader fills in at each start.
///
/// The list takes 36 kB instead of 4 MB, which would stay in the process's memory.
let withPackedRelocations = [
    "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
]

/// Linker settings of a release.
let releaseLinking = withoutExports + (hasPackedRelocations ? withPackedRelocations : [])

let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let inMemoryLogging = Target.Dependency.product(
    name: "InMemoryLogging", package: "swift-log")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let inMemoryTracing = Target.Dependency.product(
    name: "InMemoryTracing", package: "swift-distributed-tracing")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioExtras = Target.Dependency.product(name: "NIOExtras", package: "swift-nio-extras")
let asyncHTTPClient = Target.Dependency.product(
    name: "AsyncHTTPClient", package: "async-http-client")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(
    name: "HummingbirdCore", package: "hummingbird")
let hummingbirdHTTP2 = Target.Dependency.product(
    name: "HummingbirdHTTP2", package: "hummingbird")
let hummingbirdTLS = Target.Dependency.product(name: "HummingbirdTLS", package: "hummingbird")
let jwtKit = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
let lifecycle = Target.Dependency.product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(
    name: "UnixSignals", package: "swift-service-lifecycle")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let arguments = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")

/// The targets with parsers of foreign bytes.
let parsing: [Target.Dependency] = [
    "AppBackend", "CampaignCore", "CampaignFormat", "DeviceClient", "DeviceSimulation", "Files",
    "HTTPServing", "LocalHub", "NotificationHubs", httpTypes,
]

/// Runs the parsers: as a libFuzzer program if fuzzing, otherwise as a test that replays all inputs.
let fuzz: Target =
    isFuzzing
    ? .executableTarget(
        name: "fuzz", dependencies: parsing, path: "Tests/Fuzzing",
        exclude: ["Replay", "Seeds", "Regressions"], swiftSettings: settings,
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
    : .testTarget(
        name: "FuzzingTests", dependencies: parsing + ["TestSupport"], path: "Tests/Fuzzing",
        exclude: ["Program", "Seeds", "Regressions"], swiftSettings: settings)

let package = Package(
    name: "hubsend",
    // For DeviceClient in apps; hubsend itself only runs on Linux.
    platforms: [.iOS(.v16), .macOS(.v15)],
    products: [
        .executable(name: "hubsend", targets: ["hubsend"]),
        .library(name: "NotificationHubs", targets: ["NotificationHubs"]),
        .library(name: "DeviceClient", targets: ["DeviceClient", "DeviceURLSession"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        // A separate target, so a build of the next commit only compiles this file and the program.
        .target(name: "CBuild", dependencies: ["CLibYAML", sqlite], cSettings: commit),
        .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"])]),
        // Uses the header of libpq-dev. The library is not linked; it is loaded for a store on a server.
        .target(name: "CLibPQ"),
        .systemLibrary(name: "CAttributes"),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CProcess"),
        .target(
            name: "Files", dependencies: ["CAttributes", systemPackage], swiftSettings: settings),
        .target(name: "CampaignCore", swiftSettings: settings),
        .target(
            name: "CampaignFormat", dependencies: ["CLibYAML", "CampaignCore", "Files"],
            swiftSettings: settings),
        .target(
            name: "NotificationHubs",
            dependencies: [
                "CampaignCore", log, nioCore, nioExtras, nioHTTP1, nioPosix, nioTLS, nioSSL,
                asyncHTTPClient, crypto, metrics, tracing,
            ],
            swiftSettings: settings),
        .target(
            name: "Storage", dependencies: ["CampaignCore", "Files", crypto],
            swiftSettings: settings),
        .target(
            name: "SQLiteDriver",
            dependencies: ["CampaignCore", "Files", "Storage", grdb, sqlite, crypto],
            swiftSettings: settings),
        .target(
            name: "PostgreSQLDriver",
            dependencies: ["CampaignCore", "Files", "PostgreSQLClient", "Storage", crypto],
            swiftSettings: settings),
        .target(
            name: "PostgreSQLClient", dependencies: ["CLibPQ"], swiftSettings: settings),
        .target(
            name: "Delivery", dependencies: ["CampaignCore", heap, log], swiftSettings: settings),
        .target(
            name: "HTTPServing",
            dependencies: [
                log, nioCore, nioHTTP1, nioHTTPTypes, nioPosix, nioSSL, nioTLS, httpTypes,
                hummingbird, hummingbirdCore, hummingbirdHTTP2, hummingbirdTLS, lifecycle,
            ],
            swiftSettings: settings),
        .target(
            name: "LocalHub",
            dependencies: [
                "Files", "HTTPServing", log, nioCore, nioExtras, nioHTTP1, nioPosix, nioSSL,
                httpTypes, hummingbird, hummingbirdCore, lifecycle, crypto, x509, asn1,
            ],
            resources: [.embedInCode("Inbox/Page")], swiftSettings: settings),
        .target(
            name: "AppBackend",
            dependencies: [
                "CCrypt", "CampaignCore", "Files", "HTTPServing", log, nioCore, nioPosix, nioSSL,
                httpTypes, hummingbird, hummingbirdCore, lifecycle, crypto, jwtKit,
            ],
            swiftSettings: settings),
        .target(name: "DeviceClient", swiftSettings: settings),
        .target(
            name: "ProcessControl",
            dependencies: [
                "CMalloc", "CProcess", "CampaignCore", "Files", log, subprocess, systemPackage,
                unixSignals,
            ],
            swiftSettings: settings),
        .target(
            name: "DeviceURLSession", dependencies: ["DeviceClient"], swiftSettings: settings),
        .target(
            name: "DeviceSimulation",
            dependencies: [
                "CampaignCore", "DeviceClient", "Files", asyncHTTPClient, log, nioCore, nioHTTP1,
                nioSSL,
            ],
            swiftSettings: settings),
        .target(
            name: "App",
            dependencies: [
                "AppBackend", "CBuild", "CampaignCore", "CampaignFormat", "Delivery",
                "DeviceClient", "DeviceSimulation", "Files", "HTTPServing", "LocalHub",
                "NotificationHubs", "PostgreSQLClient", "PostgreSQLDriver", "ProcessControl",
                "SQLiteDriver", "Storage", arguments, crypto, log, nioSSL, subprocess,
            ],
            resources: [
                .embedInCode("Output/Page"), .embedInCode("Preview/Page"),
                .embedInCode("Report/Page/Page"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "hubsend", dependencies: ["App"], swiftSettings: settings,
            linkerSettings: [
                .unsafeFlags(
                    releaseLinking, .when(platforms: [.linux], configuration: .release))
            ]),
        .target(
            name: "TestSupport", dependencies: [subprocess, systemPackage],
            path: "Tests/TestSupport", swiftSettings: settings),
        .target(
            name: "StoreConformance", dependencies: ["CampaignCore", "Storage", "TestSupport"],
            path: "Tests/StoreConformance", swiftSettings: settings),
        .target(
            name: "TestBackend",
            dependencies: [log, nioCore, httpTypes, hummingbird, lifecycle],
            path: "Tests/TestBackend", swiftSettings: settings),
        .target(
            name: "TestPostgreSQL", dependencies: ["PostgreSQLClient", "TestSupport"],
            path: "Tests/TestPostgreSQL", swiftSettings: settings),
        .target(
            name: "TestBrowser", dependencies: ["TestSupport", asyncHTTPClient, nioCore],
            path: "Tests/TestBrowser", swiftSettings: settings),
        .target(
            name: "TestServing",
            dependencies: [
                "TestSupport", log, nioCore, nioEmbedded, nioHTTP1, nioPosix, httpTypes,
                hummingbird,
                hummingbirdCore, lifecycle,
            ],
            path: "Tests/TestServing", swiftSettings: settings),
        .testTarget(
            name: "FilesTests", dependencies: ["Files", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "CampaignCoreTests", dependencies: ["CampaignCore", "TestSupport"],
            exclude: ["Push/Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "CampaignFormatTests",
            dependencies: ["CampaignFormat", "CampaignCore", "CLibYAML", "Files", "TestSupport"],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "NotificationHubsTests",
            dependencies: [
                "NotificationHubs", "CampaignCore", "LocalHub", "TestSupport", log, inMemoryLogging,
                nioCore, nioHTTP1, nioPosix, nioSSL, crypto, metrics, tracing, inMemoryTracing,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "StorageTests",
            dependencies: ["Storage", "CampaignCore", "TestSupport", crypto],
            swiftSettings: settings),
        .testTarget(
            name: "SQLiteDriverTests",
            dependencies: [
                "SQLiteDriver", "Storage", "StoreConformance", "CampaignCore", "Files",
                "TestSupport", grdb, sqlite, crypto,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "PostgreSQLDriverTests",
            dependencies: [
                "PostgreSQLDriver", "PostgreSQLClient", "Storage", "StoreConformance",
                "CampaignCore", "TestPostgreSQL", "TestSupport", crypto,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "PostgreSQLClientTests",
            dependencies: ["PostgreSQLClient", "TestPostgreSQL", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "DeliveryTests",
            dependencies: [
                "Delivery", "CampaignCore", "PostgreSQLClient", "PostgreSQLDriver",
                "SQLiteDriver", "Storage", "TestPostgreSQL", "TestSupport", log, inMemoryLogging,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HTTPServingTests",
            dependencies: [
                "HTTPServing", "TestServing", "TestSupport", log, nioCore, nioEmbedded, nioHTTP1,
                httpTypes, hummingbird, hummingbirdCore,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LocalHubTests",
            dependencies: [
                "HTTPServing", "LocalHub", "TestBackend", "TestBrowser", "TestServing",
                "TestSupport",
                log,
                inMemoryLogging, nioCore, nioPosix, nioEmbedded, nioHTTP1, nioSSL, httpTypes,
                hummingbird,
                hummingbirdCore, lifecycle, crypto, x509, asn1, asyncHTTPClient,
            ],
            exclude: ["Wire/Golden/Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "AppBackendTests",
            dependencies: [
                "AppBackend", "CampaignCore", "DeviceClient", "DeviceURLSession", "Files",
                "HTTPServing", "PostgreSQLDriver", "SQLiteDriver", "Storage", "TestPostgreSQL",
                "TestServing", "TestSupport", log, inMemoryLogging,
                nioCore, nioPosix, nioSSL, httpTypes, hummingbird, hummingbirdCore, lifecycle,
                crypto, jwtKit, asyncHTTPClient,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DeviceClientTests",
            dependencies: [
                "DeviceClient", "DeviceURLSession", "TestBackend", "TestServing", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DeviceSimulationTests",
            dependencies: ["DeviceSimulation", "CampaignCore", "DeviceClient", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "ProcessControlTests",
            dependencies: ["ProcessControl", "Files", "TestSupport", log, subprocess],
            swiftSettings: settings),
        .testTarget(
            name: "AppTests",
            dependencies: [
                "App", "hubsend", "AppBackend", "CampaignCore", "CampaignFormat", "Delivery",
                "DeviceClient", "DeviceSimulation", "Files", "LocalHub", "NotificationHubs",
                "PostgreSQLClient", "PostgreSQLDriver", "ProcessControl", "SQLiteDriver",
                "Storage", "StoreConformance", "TestBackend", "TestBrowser", "TestPostgreSQL",
                "TestSupport", arguments, asyncHTTPClient, crypto, grdb, log, subprocess,
            ],
            swiftSettings: settings),
        fuzz,
    ]
)
