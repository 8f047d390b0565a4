import YAMLSyntax

/// Reads the key `schedule` of a campaign: its form is checked, though nothing acts on it yet.
enum ScheduleDecoder {
    ///
    /// - Parameters:
    ///   - campaign: the campaign's keys, or those of the config's `defaults`.
    ///   - isWhole: whether the schedule has to say when it is: not in `defaults`.
    static func check(_ campaign: MappingReader, isWhole: Bool = true) {
        guard let schedule = campaign.mapping("schedule") else { return }
        if isWhole {
            checkTimes(of: schedule)
            checkMoment(of: schedule)
        }
        schedule.checkTime("time_zone", form: "Europe/Berlin", isGood: TimeText.isZoneName)
        _ = schedule.text("time_zone_column")
        _ = schedule.duration("start_deadline")
        guard let quiet = schedule.mapping("quiet_hours") else { return }
        quiet.checkTime("from", form: "21:00", isGood: TimeText.isTimeOfDay)
        quiet.checkTime("to", form: "08:00", isGood: TimeText.isTimeOfDay)
        _ = quiet.text("time_zone_column")
    }

    private static func checkMoment(of schedule: MappingReader) {
        checkCron(of: schedule)
        schedule.checkTime("at", form: "2026-12-01T09:00", isGood: TimeText.isLocalTime)
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
}

extension MappingReader {
    /// Checks the form of a time that nothing acts on yet.
    ///
    /// - Parameters:
    ///   - key: its key.
    ///   - form: an example of the form.
    ///   - isGood: whether a text has it.
    func checkTime(_ key: String, form: String, isGood: (String) -> Bool) {
        guard let text = text(key), !isGood(text.value.text) else { return }
        findings.error(
            .invalidTime, at: text.range, "\"\(name(of: key))\" is not understood.",
            help: "Write it in the form \(form).")
    }
}
