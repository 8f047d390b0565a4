// Faults: the switch, the list, and the form that adds one.

const faultsDialog = the("faults");
const faultSwitches = [the("faults-switch"), the("faults-switch-inside")];
const faultPresets = [
    ["429 with Retry-After", "status: 429, retry_after: 2, share: 10%"],
    ["500 for 5 %", "status: 500, share: 5%"],
    ["Lost responses", "drop: after, share: 5%"],
    ["Slow responses", "latency: 500ms, jitter: 200ms"],
];

let rulesShown = null;
let revisionShown;
let isRemoving = false;

/** Shows whether faults are on and how many there are; without any, the switch is disabled. */
function showFaultSummary({ on, count }) {
    for (const each of faultSwitches) {
        each.setAttribute("aria-checked", String(on && count > 0));
        each.disabled = count === 0;
        each.title = count === 0 ? "There are no faults; add one first." : "";
    }
    document.body.classList.toggle("has-faults", on && count > 0);
    setText(the("faults-open"), count === 0 ? "No faults" : counted(count, "fault"));
}

function showFaults({ on, faults, revision }) {
    revisionShown = revision;
    showFaultSummary({ on, count: faults.length });
    the("faults-none").hidden = faults.length > 0;
    // Redrawing equal rules would move the focus away from a Remove button.
    if (rulesShown === faults.join("\n")) return;
    rulesShown = faults.join("\n");
    const rows = faults.map((rule, index) => {
        const remove = button("Remove", "quiet", (event) => {
            // After the first click of a double click, another rule may have this number.
            if (event.detail < 2) removeFault(index + 1);
        });
        remove.setAttribute("aria-label", `Remove fault ${index + 1}`);
        return make("li", "", make("code", "data", rule), remove);
    });
    fill(the("faults-list"), rows);
}

async function refreshFaults() {
    if (faultsDialog.open) showFaults(await ask("/faults"));
}

/** Changes the faults; an error is shown in the dialog. */
async function changeFaults(method, path, { body, parameters } = {}) {
    const error = the("faults-error");
    try {
        showFaults(await change(method, path, { body, parameters }));
        setText(error, "");
        return true;
    } catch (failure) {
        if (faultsDialog.open && failure instanceof HubError) {
            setText(error, failure.message);
        } else {
            showFailure(failure);
        }
        return false;
    }
}

async function removeFault(number) {
    if (isRemoving) return;
    isRemoving = true;
    const parameters = { revision: revisionShown };
    const isRemoved = await changeFaults("DELETE", `/faults/${number}`, { parameters });
    isRemoving = false;
    // The rules may have changed since they were shown.
    if (!isRemoved) attempt(refreshFaults);
    // The button is gone with its rule; the focus goes to the next one.
    const buttons = the("faults-list").querySelectorAll("button");
    (buttons[Math.min(number, buttons.length) - 1] ?? the("fault")).focus();
}

for (const each of faultSwitches) {
    each.addEventListener("click", () => {
        const isOn = each.getAttribute("aria-checked") === "true";
        changeFaults("PUT", "/faults/switch", { body: isOn ? "off" : "on" });
    });
}

for (const [name, rule] of faultPresets) {
    the("faults-presets").append(button(name, "", () => {
        the("fault").value = rule;
        the("fault").focus();
    }));
}

the("faults-open").addEventListener("click", () => {
    setText(the("faults-error"), "");
    faultsDialog.showModal();
    attempt(refreshFaults);
});

the("faults-close").addEventListener("click", () => faultsDialog.close());

the("faults-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const added = await changeFaults("POST", "/faults", { body: the("fault").value });
    if (added) the("fault").value = "";
    the("fault").focus();
});
