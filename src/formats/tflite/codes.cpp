// Every finding about .tflite files: docs/diagnostics.md is made from this table.
#include "formats/tflite/document.h"

namespace npubin::tflite {
namespace {

constexpr std::string_view kDamage = "Readers that do not verify a model read outside it, or crash.";
constexpr std::string_view kFetch = "Get the file again from its source; compare its size and checksum.";
constexpr std::string_view kWriter = "Write the model again with the converter that made it.";

constexpr DiagnosticCode kCodes[] = {
    {"TFL-0001", "The file is too short for a header", kDamage, kFetch},
    {"TFL-0002", "The identifier is not TFL3", "The file is of another schema version, or no model at all.",
     kFetch},
    {"TFL-0003", "The root offset is outside the file or not aligned", kDamage, kFetch},
    {"TFL-0004", "An offset leads outside the file, to itself, or off alignment", kDamage, kFetch},
    {"TFL-0005", "A table's vtable is not sane", kDamage, kFetch},
    {"TFL-0006", "A field lies outside its table", kDamage, kFetch},
    {"TFL-0007", "The file refers to more objects than it has room for",
     "Objects that are shared over and over make small files endless to read.", kFetch},
    {"TFL-0008", "A vector or string claims more bytes than the file has", kDamage, kFetch},
    {"TFL-0009", "A table has a field that the schema known here lacks",
     "A newer writer says something that this program cannot take into account.",
     "Check with a newer npubin whether the field changes what the model computes."},
    {"TFL-0010", "A union holds a value under an unknown tag", "The operator's options cannot be read.",
     "Use a newer npubin, or an older converter."},
    {"TFL-0011", "The schema version is not 3", "Fields may mean something else.", kWriter},
    {"TFL-0012", "Subgraphs or operator codes are missing", "There is nothing to run.", kWriter},
    {"TFL-0013", "A buffer's offset and size lie outside the file", kDamage, kFetch},
    {"TFL-0014", "An operator's code is unknown, negative or a placeholder",
     "Nobody knows which operator is meant; TFLite runtimes refuse the model.",
     "Use a newer npubin, or look for damage."},
    {"TFL-0015", "A custom operator has no name", "No runtime can find its kernel.", kWriter},
    {"TFL-0016", "An operator's version is implausible", "Runtimes that check versions refuse the model.",
     kWriter},
    {"TFL-0017", "Buffer 0 holds bytes", "Buffer 0 stands for: no constant. Its contents are never used.",
     kWriter},
    {"TFL-0018", "Metadata or a signature refers to something that does not exist",
     "Tools that call the model by its signature fail.", kWriter},
    {"TFL-0019", "Large custom options lie outside the file", kDamage, kFetch},
    {"TFL-0020", "A custom operator is known to no stock runtime",
     "Runtimes refuse to load a model with an operator that nobody registered.",
     "Register the operator's kernel with the runtime, or convert without it."},
    {"TFL-0101", "An index of a tensor is out of range", kDamage, kWriter},
    {"TFL-0102", "An operand is read before it is produced",
     "The result would depend on what memory held before.",
     "Sort the operators by execution; remove cycles."},
    {"TFL-0103", "A tensor has two producers, or a constant or input is written",
     "Which value later operators see is undefined.", kWriter},
    {"TFL-0104", "An output of the graph is never produced", "The caller would get garbage.", kWriter},
    {"TFL-0105", "A constant does not have the bytes that its shape takes", kDamage, kWriter},
    {"TFL-0106", "A tensor is of a type that is not computed",
     "Strings, resources, variants and complex numbers are out of reach.",
     "Remove the operators that need them from the model."},
    {"TFL-0107", "A tensor's shape is impossible", "Its size cannot be stored, or no kernel takes its rank.",
     kWriter},
    {"TFL-0108", "A tensor's quantisation breaks the rules",
     "Results would be infinite, undefined, or different on every runtime.",
     "Scales finite and above 0, zero points within the type, one pair per channel, zero points of 0 per "
     "channel."},
    {"TFL-0109", "A tensor is sparse, variant or stored in an external buffer",
     "Its values cannot be read from this file.", "Convert to a dense model with its weights inside."},
    {"TFL-0110", "A variable tensor has constant data",
     "Variables start at zero; runtimes differ in what they do with the data.", kWriter},
    {"TFL-0111", "Subgraph calls are recursive or out of range", "Running would never end.", kWriter},
    {"TFL-0112", "Tensors are used by nothing", "They cost space in the file and nothing else.",
     "Strip the model, or ignore this."},
    {"TFL-0201", "An operator has the wrong number of operands or outputs",
     "Kernels would read what is not there.", kWriter},
    {"TFL-0202", "A required operand is absent", "The operator cannot be computed without it.", kWriter},
    {"TFL-0203", "An operator carries another operator's options",
     "Its attributes would be read from the wrong fields.", kWriter},
    {"TFL-0204", "An attribute or constant operand is outside its range",
     "Runtimes that do not check it divide by zero, run forever or write outside their memory.", kWriter},
    {"TFL-0205", "The types of an operator's tensors do not go together", "No kernel takes the combination.",
     kWriter},
    {"TFL-0206", "The shapes of an operator's tensors do not go together",
     "Runtimes that do not check it read outside the tensors.", kWriter},
    {"TFL-0207", "The quantisation of an operator's tensors does not go together",
     "The kernel does not rescale, or gives a fixed scale; results would mean something else than declared.",
     kWriter},
    {"TFL-0208", "A declared output shape is not the one that comes out",
     "Memory is planned by the declaration; the kernel writes by its own.",
     "Make dynamic shapes static before the conversion, and convert again."},
    {"TFL-0209", "A bias scale is not input scale times weight scale",
     "Kernels add bias codes to the accumulator as they are: the bias is off by the ratio.",
     "Quantise the model again."},
    {"TFL-0210", "The options of a custom operator are damaged", kDamage, kWriter},
    {"TFL-0211", "An operator cannot be run here",
     "The model can be inspected and checked, but not executed.",
     "Remove the operator from the model, or run the part before it."},
};

}  // namespace

std::span<const DiagnosticCode> diagnostic_codes() {
  return kCodes;
}

}  // namespace npubin::tflite
