import CampaignCore
import Files

/// A systemd service and timer that start what is due (systemd.service(5), systemd.timer(5)).
struct SystemdUnits: Sendable {
    let call: DueCall

    /// The text of both units, each below the path of its file.
    var text: String {
        var head = call.overview
        if call.only == nil {
            head.append(
                "While one is sent, the others wait; one that takes long gets units of its own: name its file alone."
            )
        }
        head.append(
            "The two parts are two files. Then: systemctl daemon-reload && systemctl enable --now \(name).timer"
        )
        return (head.map { "# " + $0 } + [""] + service + [""] + timer).map { $0 + "\n" }.joined()
    }

    private var name: String { call.only.map { "hubsend-due-" + $0 } ?? "hubsend-due" }

    private var service: [String] {
        [
            "# /etc/systemd/system/\(name).service",
            "[Unit]",
            "Description="
                + (call.only.map { "The campaign \($0), when it is due" }
                    ?? "The campaigns that are due"),
            "Documentation=man:hubsend-cron(7)",
            "Wants=network-online.target",
            "After=network-online.target",
            "# systemd sends no mail; a unit of yours that does is named here:",
            "# OnFailure=tell-on-call@%n.service",
            "",
            "[Service]",
            "Type=exec",
            "User=\(Self.escaped(call.user))",
            // The hyphen makes systemd ignore a missing folder: hubsend reports it itself.
            "WorkingDirectory=-\(Self.escaped(call.folder))",
        ] + environment + [
            "ExecStart=\(call.words.map(Self.word).joined(separator: " "))",
            "# It was told to stop, and everything is saved.",
            "SuccessExitStatus=143",
            "# What goes wrong is logged, and not each minute's start.",
            "SyslogLevel=warning",
            "LogLevelMax=notice",
            "",
        ] + walls
    }

    private var environment: [String] {
        call.variables.flatMap { variable in
            (variable.preparation(for: call.user).map { ["# " + $0] } ?? [])
                + ["Environment=\(Self.quoted("\(variable.name)=\(variable.value)"))"]
        } + [
            "# Further variables, one a line, if there are any; they count before those above.",
            "EnvironmentFile=-/etc/hubsend/environment",
            "# Swift's runtime would note at each start that it may not raise the priority of its threads, which it can do without.",
            "Environment=LIBDISPATCH_LOG=NO",
        ]
    }

    private var timer: [String] {
        [
            "# /etc/systemd/system/\(name).timer",
            "[Unit]",
            "Description=Each minute, for \(name).service",
            "Documentation=man:hubsend-cron(7)",
            "",
            "[Timer]",
            "OnCalendar=minutely",
            "AccuracySec=1s",
            "# What was missed while the machine was off begins within its `start_deadline`, so nothing is to be made up for here.",
            "Persistent=no",
            "",
            "[Install]",
            "WantedBy=timers.target",
        ]
    }

    /// Settings that keep the service from parts of the machine that it does not need.
    private var walls: [String] {
        var walls = ["UMask=0077"]
        if !call.written.areSome(below: ["/boot", "/efi", "/etc", "/usr"]) {
            walls.append("ProtectSystem=full")
        }
        if !call.places.areSome(below: ["/tmp", "/var/tmp"]) { walls.append("PrivateTmp=yes") }
        guard !call.runsCommands else {
            return walls + [
                "# A command gives a secret, and may need more than hubsend does, so nothing else is shut."
            ]
        }
        if !call.places.areSome(below: ["/home", "/root", "/run/user"]) {
            walls.append("ProtectHome=yes")
        }
        // Without capabilities, root cannot read files of other users.
        if call.user != "root" { walls.append("CapabilityBoundingSet=") }
        return walls + [
            "LockPersonality=yes",
            "MemoryDenyWriteExecute=yes",
            "NoNewPrivileges=yes",
            "PrivateDevices=yes",
            "ProcSubset=pid",
            "ProtectClock=yes",
            "ProtectControlGroups=yes",
            "ProtectHostname=yes",
            "ProtectKernelLogs=yes",
            "ProtectKernelModules=yes",
            "ProtectKernelTunables=yes",
            "ProtectProc=invisible",
            "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
            "RestrictNamespaces=yes",
            "RestrictRealtime=yes",
            "RestrictSUIDSGID=yes",
            "SystemCallArchitectures=native",
            "SystemCallErrorNumber=EPERM",
            "SystemCallFilter=@system-service",
        ]
    }

    /// A word of a command; `$` begins a variable there.
    private static func word(_ text: String) -> String {
        quoted(text).replacingBytes("$", with: "$$")
    }

    /// The text, in quotation marks if it needs them (systemd.syntax(7)).
    private static func quoted(_ text: String) -> String {
        guard ShellWord.quoted(text) != text else { return text }
        let inner = text.replacingBytes("\\", with: "\\\\").replacingBytes("\"", with: "\\\"")
        return "\"" + escaped(inner) + "\""
    }

    /// Doubles each `%`, since `%` begins a specifier.
    private static func escaped(_ text: String) -> String { text.replacingBytes("%", with: "%%") }
}

extension [String] {
    fileprivate func areSome(below folders: [String]) -> Bool {
        contains { path in
            folders.contains { path == $0 || Path.relative(path, to: $0) != nil }
        }
    }
}
