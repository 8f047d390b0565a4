import YAMLSyntax

/// Reads the key `schedule` of a campaign: its form is checked, though nothing acts on it yet.
enum ScheduleDecoder {
    static func check(_ campaign: MappingReader) {
        defer { campaign.warnOfUnsupported("schedule") }
        guard let schedule = campaign.mapping("schedule", known: CampaignKeys.schedule) else {
            return
        }
        schedule.require(["time_zone"])
        checkTimes(of: schedule)
        checkCron(of: schedule)
        checkText("at", of: schedule, form: "2026-12-01T09:00", isGood: TimeText.isLocalTime)
        checkText("time_zone", of: schedule, form: "Europe/Berlin", isGood: TimeText.isZoneName)
        _ = schedule.duration("start_deadline")
        guard let quiet = schedule.mapping("quiet_hours", known: CampaignKeys.quietHours) else {
            return
        }
        quiet.require(["from", "to"])
        checkText("from", of: quiet, form: "21:00", isGood: TimeText.isTimeOfDay)
        checkText("to", of: quiet, form: "08:00", isGood: TimeText.isTimeOfDay)
        _ = quiet.text("time_zone_column")
    }

    /// A schedule has either `cron` or `at`.
    private static func checkTimes(of schedule: MappingReader) {
        if !schedule.has("cron"), !schedule.has("at") {
            schedule.findings.error(
                .missingKey, at: schedule.keyRange, "The schedule has neither \"cron\" nor \"at\".")
        } else if schedule.has("cron"), schedule.has("at") {
            schedule.findings.error(
                .conflictingKeys, at: schedule.range(ofKey: "at"),
                "The schedule has both \"cron\" and \"at\".", help: "Keep one of them.",
                related: ("The first is here.", schedule.range(ofKey: "cron")))
        }
    }

    private static func checkCron(of schedule: MappingReader) {
        guard let cron = schedule.text("cron") else { return }
        let texts = cron.value.text.split(separator: " ")
        guard texts.count == CronText.fields.count else {
            schedule.findings.error(
                .invalidTime, at: cron.range, "\"schedule.cron\" does not have five fields.",
                help: "Write minute, hour, day, month and weekday, such as \"0 9 * * mon\".")
            return
        }
        for (field, text) in zip(CronText.fields, texts) where !field.isGood(text) {
            schedule.findings.error(
                .invalidTime, at: cron.range,
                "\"\(String(text).shortened)\" is not a valid \(field.name) in \"schedule.cron\".",
                help:
                    "Write * or a number from \(field.bounds.lowerBound) to \(field.bounds.upperBound); 1-5, 1,3 and */2 also work."
            )
        }
    }

    private static func checkText(
        _ key: String, of reader: MappingReader, form: String, isGood: (String) -> Bool
    ) {
        guard let text = reader.text(key), !isGood(text.value.text) else { return }
        reader.findings.error(
            .invalidTime, at: text.range, "\"\(reader.name(of: key))\" is not understood.",
            help: "Write it in the form \(form).")
    }
}
